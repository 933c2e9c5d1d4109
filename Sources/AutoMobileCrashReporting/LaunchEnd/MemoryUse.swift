import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport

/// How much memory the process uses, and how much it may use.
struct MemoryUse: Codable, Equatable, Sendable {
  /// How close the process is to being ended for the memory it uses.
  enum Level: String, Codable, CaseIterable, Comparable, Sendable {
    case normal, warning, critical

    static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .normal: 0
      case .warning: 1
      case .critical: 2
      }
    }
  }

  var level = Level.normal
  /// Bytes that count against the limit; 0 when unknown.
  var footprint: UInt64 = 0
  /// Bytes at which the system ends the process; 0 when unknown.
  var limit: UInt64 = 0
  /// How often the system has ended a process of this one's group for its memory; nil when it does not count that.
  var kills: UInt64?

  /// - Parameter pressure: what the system says about its own memory.
  init(footprint: UInt64 = 0, limit: UInt64 = 0, pressure: Level = .normal, kills: UInt64? = nil) {
    self.footprint = footprint
    self.limit = limit
    self.kills = kills
    level = max(pressure, Self.level(footprint: footprint, limit: limit))
  }

  /// Also says what the system says about its own memory.
  func under(_ pressure: Level) -> MemoryUse {
    MemoryUse(footprint: footprint, limit: limit, pressure: max(level, pressure), kills: kills)
  }

  /// Three quarters of the limit are worth a warning, nine tenths are critical.
  private static func level(footprint: UInt64, limit: UInt64) -> Level {
    guard limit > 0 else { return .normal }
    let used = Double(footprint) / Double(limit)
    return used >= 0.9 ? .critical : used >= 0.75 ? .warning : .normal
  }

  /// Whether the difference is worth a record: another level, or an eighth of the limit more or less.
  func differs(from other: MemoryUse) -> Bool {
    if level != other.level || kills != other.kills || limit != other.limit { return true }
    let step = limit > 0 ? limit / 8 : max(other.footprint / 4, 16 << 20)
    let change = max(footprint, other.footprint).subtracting(saturating: min(footprint, other.footprint))
    return change >= step
  }

  func encodeMembers(into json: inout EventJSONWriter) {
    json.member("level", level.rawValue)
    json.member("footprint", Int64(clamping: footprint))
    json.member("limit", Int64(clamping: limit))
    json.member("kills", kills.map { Int64(clamping: $0) })
  }

  /// In words, for people: `412 of 450 MB`.
  var description: String {
    let used = "\(footprint >> 20)"
    return limit > 0 ? "\(used) of \(limit >> 20) MB" : "\(used) MB"
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension MemoryUse {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    level = members.value("level", or: .normal)
    footprint = members.value("footprint")
    limit = members.value("limit")
    kills = members.value("kills")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("level", level)
    members.add("footprint", footprint)
    members.add("limit", limit)
    members.add("kills", kills)
    try members.end()
  }
}
