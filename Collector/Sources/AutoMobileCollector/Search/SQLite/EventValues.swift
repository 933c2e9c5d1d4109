import Foundation
import GRDB

/// Looks for a text in the values of an event. The names of its members say nothing of what happened, and what names other
/// things is not looked for either.
enum EventValues {
  /// SQL's word for it: `event_holds(payload, text)`.
  static let function = DatabaseFunction("event_holds", argumentCount: 2, pure: true) { values in
    guard let payload = Data.fromDatabaseValue(values[0]), let text = String.fromDatabaseValue(values[1]) else {
      return false
    }
    return payload.withUnsafeBytes { holds(text, in: $0) }
  }

  /// As a condition on a column with an event's payload. The bytes are looked at first: that is quicker than reading JSON.
  static func condition(_ column: String, _ text: String) -> SearchCondition {
    let holds = SearchCondition("event_holds(\(column), ?)", [text])
    guard let piece = plainPiece(of: text) else { return holds }
    return .all([.part("CAST(\(column) AS TEXT)", piece), holds])
  }

  /// The longest piece of it that JSON can write in one way only; nil when there is none.
  static func plainPiece(of text: String) -> String? {
    let plain = text.unicodeScalars.split { !$0.isASCII || $0.value < 0x20 || "\"\\/".unicodeScalars.contains($0) }
    return plain.max { $0.count < $1.count }.map { String($0) }
  }

  /// Whether one value holds it, a letter of ASCII in either case.
  static func holds(_ text: String, in payload: UnsafeRawBufferPointer, maximumDepth: Int = 256) -> Bool {
    var scanner = JSONScanner(payload, maximumDepth: maximumDepth)
    let finder = ByteFinder(text)
    var found = false
    _ = try? scanner.document { try look(&$0, finder, isTop: true, &found) }
    return found
  }

  private static let names: Set = ["sessionId", "contextId", "context", "replayId"]

  private static func look(
    _ scanner: inout JSONScanner, _ finder: ByteFinder, isTop: Bool, _ found: inout Bool
  ) throws {
    guard !found else { return _ = try scanner.skip() }
    switch try scanner.peek() {
    case .object:
      try scanner.object { scanner, key in
        if isTop, names.contains(scanner.decode(key)) {
          try scanner.skip()
        } else {
          try look(&scanner, finder, isTop: false, &found)
        }
      }
    case .array: try scanner.array { scanner, _ in try look(&scanner, finder, isTop: false, &found) }
    case .string:
      let text = try scanner.string()
      found =
        text.isEscaped ? finder.isIn(scanner.unescape(text)) : finder.isIn(scanner.bytes[text.range])
    case .number, .boolean:
      let range = try scanner.skip().range
      found = finder.isIn(scanner.bytes[range])
    case .null: try scanner.skip()
    }
  }
}

/// Finds a text among bytes in the time of both together, whatever they are.
struct ByteFinder {
  private let wanted: [UInt8]
  /// How much of the text is still there when the next byte is another one.
  private let back: [Int]

  init(_ text: String) {
    let wanted = text.utf8.map(Self.lowercased)
    var back = [0]
    var length = 0
    for byte in wanted.dropFirst() {
      while length > 0, wanted[length] != byte { length = back[length - 1] }
      if wanted[length] == byte { length += 1 }
      back.append(length)
    }
    self.wanted = wanted
    self.back = back
  }

  func isIn(_ bytes: some Sequence<UInt8>) -> Bool {
    guard !wanted.isEmpty else { return true }
    var length = 0
    for byte in bytes {
      let byte = Self.lowercased(byte)
      while length > 0, wanted[length] != byte { length = back[length - 1] }
      if wanted[length] == byte { length += 1 }
      if length == wanted.count { return true }
    }
    return false
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}
