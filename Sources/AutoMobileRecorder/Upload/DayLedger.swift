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

    /// - Returns: whether that has changed something.
    mutating func turn(to today: Int64) -> Bool {
      // A clock that is set back begins no day; but it may have been far ahead, and then the day after today is another one.
      guard today > number || today < number.subtractingReportingOverflow(1).partialValue else { return false }
      if today > number { self = Day() }
      number = today
      return true
    }

    /// Adds what was counted apart from it, as far as that fits into the file: what has no room applies no more today.
    mutating func add(_ other: Day) {
      number = max(number, other.number)
      for (name, events) in other.applied where applied[name] != nil || applied.count < DayLedger.mostNames {
        let known = applied[name] ?? []
        let all = known + events.filter { !known.contains($0) }
        applied[name] = Array(all.prefix(DayLedger.mostEvents))
      }
      bytes = bytes.addingReportingOverflow(other.bytes).partialValue
      costlyBytes = costlyBytes.addingReportingOverflow(other.costlyBytes).partialValue
    }
  }

  static let maximumSize = 4 << 20
  /// So many names of rules are counted in a day, each as often as it may apply: they fit into the file.
  static let mostNames = 128
  /// No rule may apply more often.
  static let mostEvents = 1000

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
    guard isChanged else { return }
    turn()
    // What could not be read is not overwritten.
    guard isLoaded, let data = try? JSONEncoder().encode(day) else { return }
    if (try? data.writeProtected(to: url)) != nil { isChanged = false }
  }

  private func turn() {
    let today = wall() / 86_400_000
    if !isLoaded { load(today) }
    if day.turn(to: today) { isChanged = true }
  }

  /// Takes what is written down, and adds what has been counted since: there may be a file that could not be read until now, on a device
  /// that has not been unlocked since its start, or with too many open files.
  private func load(_ today: Int64) {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return isLoaded = errno == ENOENT }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard let bytes = try? file.read(upToCount: Self.maximumSize + 1) ?? Data() else { return }
    isLoaded = true
    guard bytes.count <= Self.maximumSize, var known = try? JSONDecoder().decode(Day.self, from: bytes) else { return }
    if day != Day() {
      _ = known.turn(to: today)
      _ = day.turn(to: today)
      known.add(day)
      isChanged = true
    }
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
