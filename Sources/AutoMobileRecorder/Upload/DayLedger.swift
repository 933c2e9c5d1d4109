import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// What has been done today: how often rules have applied, and how much was sent. Kept over launches, in one small file.
///
/// A day is one of the calendar in UTC. Of two processes of one app that run at the same time, the later one's word counts.
final class DayLedger {
  fileprivate struct Day: Equatable {
    var number: Int64 = 0
    /// By a rule's name: the events that it applied to, as hashes, so that an event which is looked at again is not counted again.
    var applied: [String: [UInt64]] = [:]
    /// Sent of what rules name, in bytes of bodies.
    var bytes: UInt64 = 0
    /// The same over networks that cost by volume.
    var costlyBytes: UInt64 = 0
  }

  static let maximumSize = 4 << 20
  /// So many names of rules are counted in a day, each as often as it may apply: they fit into the file.
  static let mostNames = 128

  private let url: URL
  private let wall: @Sendable () -> Int64
  private var day = Day()
  private var isLoaded = false
  private var isChanged = false

  init(url: URL, wall: @escaping @Sendable () -> Int64) {
    self.url = url
    self.wall = wall
  }

  /// The file's name. Apps may share a directory.
  static func fileName(owner: String) -> String { "upload-" + ControlCache.safe(owner) + ".json" }

  /// Whether a rule may apply to an event; counts it when it does.
  func allows(_ rule: UploadRule, _ launch: LaunchID, _ position: UInt64) -> Bool {
    guard let most = rule.send.perDay else { return true }
    turn()
    let event = FNV1a("\(launch) \(position)").value
    let applied = day.applied[rule.name] ?? []
    if applied.contains(event) { return true }
    // What cannot be counted does not apply either.
    guard applied.count < most, !applied.isEmpty || day.applied.count < Self.mostNames else { return false }
    day.applied[rule.name, default: []].append(event)
    isChanged = true
    return true
  }

  /// Whether something that a rule names may still go today.
  func hasRoom(_ limit: Int?) -> Bool {
    turn()
    return limit.map { day.bytes < UInt64(clamping: $0) } ?? true
  }

  /// The same over a network that costs by volume.
  func hasCostlyRoom(_ limit: Int?) -> Bool {
    turn()
    return limit.map { day.costlyBytes < UInt64(clamping: $0) } ?? true
  }

  func sent(_ bytes: Int, cost: Int) {
    turn()
    day.bytes = day.bytes.addingReportingOverflow(UInt64(clamping: bytes)).partialValue
    day.costlyBytes = day.costlyBytes.addingReportingOverflow(UInt64(clamping: cost)).partialValue
    isChanged = true
  }

  var bytes: UInt64 {
    turn()
    return day.bytes
  }

  /// What is kept is gone.
  func forget() {
    day = Day()
    isLoaded = false
    isChanged = false
  }

  /// Writes down what has changed, in one step that a killed process has taken or not. What cannot be written holds in this process.
  func save() {
    guard isChanged, let data = try? JSONEncoder().encode(day) else { return }
    if (try? data.writeProtected(to: url)) != nil { isChanged = false }
  }

  private func turn() {
    if !isLoaded {
      isLoaded = true
      load()
    }
    let today = wall() / 86_400_000
    // A clock that is set back begins no day; but it may have been far ahead, and then the day after today is another one.
    guard today > day.number || today < day.number.subtractingReportingOverflow(1).partialValue else { return }
    if today > day.number { day = Day() }
    day.number = today
    isChanged = true
  }

  private func load() {
    guard let file = try? FileHandle(forReadingFrom: url) else { return }
    defer { try? file.close() }
    guard let bytes = try? file.read(upToCount: Self.maximumSize + 1), bytes.count <= Self.maximumSize,
      let known = try? JSONDecoder().decode(Day.self, from: bytes)
    else { return }
    day = known
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension DayLedger.Day: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    number = members.value("day")
    applied = members.value("applied", or: [:])
    bytes = members.value("bytes")
    costlyBytes = members.value("costlyBytes")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("day", number)
    members.add("applied", applied)
    members.add("bytes", bytes)
    members.add("costlyBytes", costlyBytes)
    try members.end()
  }
}
