import AutoMobileSupport

/// What decides on what is sent, and what waits, for diagnostics.
public struct UploadStatus: Sendable, Equatable, Codable {
  /// Events stay on the device until something names them.
  public var isKeeping = false
  /// The names of the rules that hold.
  public var rules: [String] = []
  /// The ids of what a collector asks for.
  public var asks: [String] = []
  /// Rules and asks that do not hold, and why, in words.
  public var refused: [String] = []
  /// Stretches of the recording that are to be sent.
  public var marks = 0
  /// What has been sent today of what rules name, in bytes of bodies.
  public var bytesToday: UInt64 = 0

  public init() {}
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension UploadStatus {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    isKeeping = members.value("isKeeping")
    rules = members.value("rules", or: [])
    asks = members.value("asks", or: [])
    refused = members.value("refused", or: [])
    marks = members.value("marks")
    bytesToday = members.value("bytesToday")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("isKeeping", isKeeping)
    members.add("rules", rules)
    members.add("asks", asks)
    members.add("refused", refused)
    members.add("marks", marks)
    members.add("bytesToday", bytesToday)
    try members.end()
  }
}
