/// What a sender says of a segment before it sends it.
struct ReplaySegment: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    /// Frame records one after the other, the first a key frame.
    case screenshots
    /// One snapshot of the view hierarchy on each line, as JSON.
    case hierarchy
    /// What happened to the recording itself, on lines of JSON.
    case events

    var mediaType: String { self == .screenshots ? "application/octet-stream" : "application/x-ndjson" }
  }

  var id: String
  var replay: String
  var sessions: [String]
  var kind: Kind
  /// Milliseconds since 1970, by the device's clock.
  var first: Int64
  var last: Int64
  var frames: Int64
  /// Of the gzip body, in bytes.
  var size: Int64
  /// SHA-256 of the content before it was compressed, in hexadecimal digits; nil when the sender does not say.
  var contentHash: String?
  /// The segment of which this is a further part; nil for its first part.
  var continues: String?

  /// - Throws: ``APIError`` that names the member.
  init(_ body: JSONTree) throws {
    replay = try Self.name(body, "sessionId")
    id = try Self.segmentID(body)
    guard let kind = Kind(rawValue: body["kind"]?.string ?? "") else {
      throw Self.invalid("kind", "one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.kind = kind
    first = try Self.number(body, "startTime", 0...ReplayTimes.most)
    last = try Self.number(body, "endTime", 0...ReplayTimes.most)
    guard last >= first, last - first <= ReplayTimes.longest else {
      throw Self.invalid("endTime", "at startTime or up to a day later")
    }
    frames = try Self.number(body, "frameCount", 0...1_000_000)
    size = try Self.number(body, "sizeBytes", 1...Int64(Int32.max))
    let compression = body["compression"]?.string ?? "gzip"
    guard compression == "gzip" else { throw Self.invalid("compression", "gzip") }
    if let hash = body["contentHash"], !hash.isNull {
      guard let text = hash.string?.lowercased(), text.utf8.count == 64, Self.isHexadecimal(text) else {
        throw Self.invalid("contentHash", "64 hexadecimal digits")
      }
      contentHash = text
    }
    sessions = Self.sessions(body)
    if let name = body["continues"], !name.isNull {
      guard let name = name.string, Self.isID(name), name != id else {
        throw Self.invalid("continues", "the segmentId of the part before all others")
      }
      continues = name
    }
  }

  /// The telemetry's sessions, as far as they are names.
  static func sessions(_ body: JSONTree) -> [String] {
    guard case .array(let values)? = body["telemetrySessionIds"] else { return [] }
    return values.compactMap(\.string).filter { (1...maximumName).contains($0.utf8.count) }.prefix(50).map { $0 }
  }

  static func segmentID(_ body: JSONTree) throws -> String {
    let id = body["segmentId"]?.string ?? ""
    guard isID(id) else { throw invalid("segmentId", "32 lower-case hexadecimal digits") }
    return id
  }

  static func isID(_ text: String) -> Bool {
    text.utf8.count == 32 && isHexadecimal(text)
  }

  /// Lower-case digits of ASCII, and not those that Unicode has beside them.
  private static func isHexadecimal(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// A name that a sender gave: of a replay, an incident.
  static func name(_ body: JSONTree, _ member: String) throws -> String {
    guard let name = body[member]?.string, (1...maximumName).contains(name.utf8.count),
      name.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { throw invalid(member, "1 to \(maximumName) bytes, without blanks") }
    return name
  }

  static func number(_ body: JSONTree, _ member: String, _ bounds: ClosedRange<Int64>) throws -> Int64 {
    let number = body[member]?.integer ?? body[member]?.number.flatMap { Int64(exactly: $0.rounded()) }
    guard let number, bounds.contains(number) else {
      throw invalid(member, "a number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return number
  }

  static func invalid(_ member: String, _ expected: String) -> APIError {
    APIError.badRequest("invalid_\(member)", "\(member) must be \(expected)")
  }

  static let maximumName = 200
}

/// Bounds of times that devices send.
enum ReplayTimes {
  /// The year 5138: beyond it a browser's clock ends before ours does.
  static let most: Int64 = 100_000_000_000_000
  /// Of one segment, in milliseconds.
  static let longest: Int64 = 86_400_000
  /// A device's clock may be ahead of ours by this much, in milliseconds.
  static let ahead: Int64 = 300_000
}
