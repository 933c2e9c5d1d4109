import AutoMobileState
import Foundation

/// When issues into which others were merged were last in the index of any collector, where several share a state: in the state, since no
/// other place knows that retention has taken the last report of one everywhere.
struct IssueTargets: Codable, Sendable {
  private static let name = "issue targets"
  /// Milliseconds after which a collector says it again, and without a word after which an issue is nowhere.
  static let every: Int64 = 6 * 3_600_000
  static let lasts: Int64 = 48 * 3_600_000

  /// By the name of the issue, in milliseconds since 1970.
  var seen: [String: Int64] = [:]

  init(in state: borrowing StateReading) throws {
    guard let row = try StateSetting.row(Self.name, in: state) else { return }
    self = try JSONDecoder().decode(IssueTargets.self, from: Data((row[0] as String).utf8))
  }

  func write(at now: Int64, in state: borrowing StateWriting) throws {
    let json = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try StateSetting.write(Self.name, json, by: "", at: now, in: state)
  }

  /// These are in an index. What nothing is merged into any more is forgotten.
  static func tell(_ names: [String], at now: Int64, in state: borrowing StateWriting) throws {
    var targets = try IssueTargets(in: state.reading)
    for name in names { targets.seen[name] = now }
    let wanted = Set(try state.rows("SELECT DISTINCT target FROM issue_merge").map { try $0[0] as String })
    targets.seen = targets.seen.filter { wanted.contains($0.key) }
    try targets.write(at: now, in: state)
  }

  /// Whether no collector has had it for so long that none has it. Of one about which nobody has said anything, that is counted from now.
  static func isGone(_ name: String, at now: Int64, in state: borrowing StateWriting) throws -> Bool {
    var targets = try IssueTargets(in: state.reading)
    if let last = targets.seen[name] { return now - last > lasts }
    targets.seen[name] = now
    try targets.write(at: now, in: state)
    return false
  }
}
