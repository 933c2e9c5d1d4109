import AutoMobileJournal
import AutoMobileSupport

/// The requests in the list that have not ended, and the launches that will end none any more.
struct Beginnings {
  private var listed: [LaunchID: [RequestKey: LogIndex.Reference]] = [:]
  private var over: Set<LaunchID> = []

  /// No app has so many under way, nor leaves so many behind. Of more, those that began last are kept.
  static let maximum = 4000

  func count(_ launch: LaunchID) -> Int { listed[launch]?.count ?? 0 }

  /// Whether the launch's process is known to have ended.
  func areOver(_ launch: LaunchID) -> Bool { over.contains(launch) }

  mutating func end(_ launch: LaunchID) { over.insert(launch) }

  mutating func list(_ key: RequestKey, of launch: LaunchID, _ reference: LogIndex.Reference) {
    listed[launch, default: [:]][key] = reference
  }

  /// What is in the list under this name, which it is not any more.
  mutating func take(_ key: RequestKey, of launch: LaunchID) -> LogIndex.Reference? {
    listed[launch]?.removeValue(forKey: key)
  }

  mutating func forget(_ launch: LaunchID) {
    listed[launch] = nil
    over.remove(launch)
  }

  mutating func forget(where isGone: (LogIndex.Reference) -> Bool) {
    listed = listed.mapValues { $0.filter { !isGone($0.value) } }.filter { !$0.value.isEmpty }
  }

  /// What there are too many of, which are listed no more.
  mutating func takeSurplus() -> [LogIndex.Reference] {
    let count = listed.values.reduce(0) { $0 + $1.count }
    guard count > Self.maximum else { return [] }
    // Not for each one that comes.
    let surplus = listed.values.flatMap(\.values).ordered { $0.startedAt < $1.startedAt }
      .prefix(count - Self.maximum * 3 / 4)
    let places = Set(surplus.map { Place($0) })
    forget { places.contains(Place($0)) }
    return Array(surplus)
  }

  private struct Place: Hashable {
    var segment: UInt32
    var row: LogIndex.RowNumber

    init(_ reference: LogIndex.Reference) { (segment, row) = (reference.segment, reference.row) }
  }
}

/// What a look has found of one launch.
struct LaunchNews {
  struct Begun {
    var segment: Int
    var record: AutoMobileNetworkLog.Begun

    init(_ segment: Int, _ record: AutoMobileNetworkLog.Begun) { (self.segment, self.record) = (segment, record) }
  }

  var rows: [LogIndex.Reference] = []
  /// Requests whose end was not in the same piece of the same segment.
  var begun: [RequestKey: Begun] = [:]
  var frames = 0

  /// Before most of them are found to have ended, there may be more of them than are listed.
  private static let maximum = Beginnings.maximum * 4

  mutating func bound() {
    guard begun.count > Self.maximum else { return }
    let kept = begun.ordered { $0.key.startedAt > $1.key.startedAt }.prefix(Self.maximum / 2)
    begun = kept.reduce(into: [:]) { $0[$1.key] = $1.value }
  }
}
