import AutoMobileSupport

/// What the control channel has been told, and what became of it, for diagnostics.
public struct ControlStatus: Codable, Sendable, Equatable {
  /// The version of the configuration document in use; nil while there is none.
  public var version: Int64?
  /// False: the document switches recording off.
  public var isRecordingAllowed = true
  /// The share of sessions that are recorded.
  public var sessionRate = 1.0
  /// When the collector last said that this is the current document, in milliseconds since 1970.
  public var lastCheck: Int64?
  /// The status of the collector's last answer; 0 when there was none. Nil before the first request.
  public var lastStatusCode: Int?
  /// What went wrong last; nil when the last request succeeded.
  public var lastError: String?
  /// Documents that were asked for, whatever the answer.
  public var requests: UInt64 = 0
  /// The last entries, oldest first: what was received, applied, refused and commanded.
  public var log: [Entry] = []

  public struct Entry: Codable, Sendable, Equatable {
    public enum Kind: String, Codable, Sendable { case applied, refused, command, failed }
    public var kind: Kind
    /// Milliseconds since 1970.
    public var at: Int64
    public var message: String

    public init(kind: Kind, at: Int64, message: String) {
      self.kind = kind
      self.at = at
      self.message = message
    }
  }

  /// Entries that ``log`` keeps.
  public static let logCapacity = 32

  public init() {}

  mutating func note(_ kind: Entry.Kind, _ message: String, at: Int64) {
    // What comes over the wire is quoted in messages; the diagnostics stay small all the same.
    let entry = Entry(kind: kind, at: at, message: String(message.prefix(400)))
    // The same trouble again and again must not push out everything else.
    if let last = log.last, last.kind == kind, last.message == entry.message, kind != .command { log.removeLast() }
    log.append(entry)
    if log.count > Self.logCapacity { log.removeFirst(log.count - Self.logCapacity) }
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension ControlStatus {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    version = members.value("version")
    isRecordingAllowed = members.value("isRecordingAllowed")
    sessionRate = members.value("sessionRate")
    lastCheck = members.value("lastCheck")
    lastStatusCode = members.value("lastStatusCode")
    lastError = members.value("lastError")
    requests = members.value("requests")
    log = members.value("log", or: [])
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("version", version)
    members.add("isRecordingAllowed", isRecordingAllowed)
    members.add("sessionRate", sessionRate)
    members.add("lastCheck", lastCheck)
    members.add("lastStatusCode", lastStatusCode)
    members.add("lastError", lastError)
    members.add("requests", requests)
    members.add("log", log)
    try members.end()
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension ControlStatus.Entry {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    kind = members.value("kind", or: .applied)
    at = members.value("at")
    message = members.value("message")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("kind", kind)
    members.add("at", at)
    members.add("message", message)
    try members.end()
  }
}
