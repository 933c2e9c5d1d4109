/// An object's members where they stand in an event's bytes: most of them go into the trace as they are.
struct TraceMembers {
  struct Member {
    var key: JSONScanner.Text
    var kind: JSONScanner.Kind
    var range: Range<Int>
  }

  private let scanner: JSONScanner
  private let maximumDepth: Int
  private(set) var all: [Member] = []

  /// The longest value that is given out, in bytes. A trace is looked at as a whole; who wants all of an event asks for the event.
  static let longestValue = 4096
  /// All values of an event.
  private static let mostBytes = 16 << 10
  private static let mostMembers = 100
  private static let longestName = 200

  /// Reads an object; empty when it is none. The bytes must outlive this.
  init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int) {
    scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
    self.maximumDepth = maximumDepth
    var reader = scanner
    var members: [Member] = []
    members.reserveCapacity(16)
    do {
      try reader.document { reader in
        try reader.object { reader, key in
          let (kind, range) = try reader.skip()
          members.append(Member(key: key, kind: kind, range: range))
        }
      }
      all = members
    } catch {}
  }

  private func member(_ name: StaticString) -> Member? { all.first { scanner.matches($0.key, name) } }

  private func raw(_ member: Member) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: scanner.bytes[member.range])
  }

  // MARK: Values

  /// A text as a name of something: not longer than one reads.
  func name(_ name: StaticString) -> String? {
    guard let text = text(name), !text.isEmpty else { return nil }
    return Self.name(text)
  }

  /// Short, and without control characters: some readers take a name to end at the first.
  static func name(_ text: String) -> String {
    let short = text.utf8.count <= longestName ? text : text.prefix(longestName) + "…"
    guard short.hasControlCharacters else { return short }
    return String(
      String.UnicodeScalarView(short.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  func text(_ name: StaticString) -> String? {
    guard let member = member(name), member.kind == .string else { return nil }
    return text(of: member)
  }

  private func text(of member: Member) -> String {
    var reader = JSONScanner(raw(member), maximumDepth: maximumDepth)
    return (try? reader.string()).map { reader.decode($0) } ?? ""
  }

  /// A number, or a text that is one.
  func number(_ name: StaticString) -> Double? { member(name).flatMap(number) }

  private func number(_ member: Member) -> Double? {
    switch member.kind {
    case .number: Double(String(decoding: raw(member), as: UTF8.self))
    case .string: Double(text(of: member)).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  func has(_ name: StaticString) -> Bool { member(name) != nil }

  /// The members of a member; none when it is no object.
  func object(_ name: StaticString) -> TraceMembers? {
    guard let member = member(name), member.kind == .object else { return nil }
    return TraceMembers(raw(member), maximumDepth: maximumDepth)
  }

  /// Each number by its name.
  func eachNumber(most: Int, _ body: (String, Double) -> Void) {
    for member in all.prefix(most) {
      if let value = number(member) { body(Self.name(scanner.decode(member.key)), value) }
    }
  }

  /// Each object by its name.
  func eachObject(most: Int, _ body: (String, TraceMembers) -> Void) {
    for member in all.prefix(most) where member.kind == .object {
      body(Self.name(scanner.decode(member.key)), TraceMembers(raw(member), maximumDepth: maximumDepth))
    }
  }

  // MARK: Given out

  /// What is said elsewhere, or too long for anybody to read in a trace.
  private static let passedOver: [StaticString] = [
    "eventType", "timestamp", "contextId", "context", "sessionId", "replayId", "deviceInfo", "report", "requestBody",
    "responseBody", "requestHeaders", "responseHeaders", "redirects", "payload", "bundleId",
    // What is said here of every event, or of a hang.
    "event", "clipped", "samples",
  ]

  /// Writes what an event has to say as members of an object that is open; what is too long is cut, and what is too much left out.
  func write(to json: inout JSONOutput) {
    var left = Self.mostBytes
    var names: [String] = []
    for member in all {
      guard member.key.range.count <= Self.longestName,
        !Self.passedOver.contains(where: { scanner.matches(member.key, $0) })
      else { continue }
      let name = scanner.decode(member.key)
      let length = min(member.range.count, Self.longestValue)
      // Of two with one name, the first.
      guard length <= left, names.count < Self.mostMembers, !names.contains(name) else { continue }
      names.append(name)
      left -= length
      switch member.kind {
      case _ where member.range.count <= Self.longestValue: write(name, raw(member), to: &json)
      case .string: json.member(name, text(of: member).prefix(Self.longestValue / 4) + "…")
      default: json.member(name, "(\(member.range.count) bytes)")
      }
    }
  }

  /// As it stands, but for characters that are written as two escapes: Perfetto does not read these, and then nothing of the trace.
  private func write(_ name: String, _ json: UnsafeRawBufferPointer, to output: inout JSONOutput) {
    guard json.contains(UInt8(ascii: "\\")) else { return output.member(name, json: json) }
    var plain: [UInt8] = []
    plain.reserveCapacity(json.count)
    var offset = 0
    while offset < json.count {
      let byte = json[offset]
      guard byte == UInt8(ascii: "\\"), offset + 1 < json.count else {
        plain.append(byte)
        offset += 1
        continue
      }
      if let character = Self.pair(json, at: offset) {
        plain.append(contentsOf: String(character).utf8)
        offset += 12
      } else {
        plain.append(contentsOf: json[offset..<offset + 2])
        offset += 2
      }
    }
    plain.withUnsafeBytes { output.member(name, json: $0) }
  }

  /// The character that `\uD83D\uDE00` is, with its escapes.
  private static func pair(_ json: UnsafeRawBufferPointer, at offset: Int) -> Unicode.Scalar? {
    func unit(_ start: Int) -> UInt32? {
      guard start + 6 <= json.count, json[start] == UInt8(ascii: "\\"), json[start + 1] == UInt8(ascii: "u") else {
        return nil
      }
      return json[start + 2..<start + 6].reduce(0) { $0 << 4 | UInt32(JSONScanner.hexValue($1) ?? 0) }
    }
    guard let high = unit(offset), (0xD800..<0xDC00).contains(high), let low = unit(offset + 6),
      (0xDC00..<0xE000).contains(low)
    else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }
}
