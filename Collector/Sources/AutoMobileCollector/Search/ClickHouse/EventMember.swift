import Foundation

/// A member of an event, as SQLite's `json_extract` gives it out, compared as its `LIKE` compares.
enum EventMember {
  /// The values of the members of these names that stand at the top; what there is not or is null is not in it.
  static func values(_ names: [String], in payload: Data, maximumDepth: Int) -> [String] {
    values(in: payload, maximumDepth: maximumDepth) { names.contains($0) }.map(\.value)
  }

  /// The text of the member of this name, where it is one.
  static func text(_ name: StaticString, in payload: Data, maximumDepth: Int) -> String? {
    payload.withUnsafeBytes { text(name, in: $0, maximumDepth: maximumDepth) }
  }

  static func text(_ name: StaticString, in payload: UnsafeRawBufferPointer, maximumDepth: Int) -> String? {
    var found: String?
    var scanner = JSONScanner(payload, maximumDepth: maximumDepth)
    _ = try? scanner.document { scanner in
      try scanner.object { scanner, key in
        guard scanner.matches(key, name), try scanner.peek() == .string else { return _ = try scanner.skip() }
        found = scanner.decode(try scanner.string())
      }
    }
    return found
  }

  /// `name=value` of what these members hold.
  static func pairs(_ names: [String], in payload: Data, maximumDepth: Int) -> [String] {
    payload.withUnsafeBytes { bytes in
      var found: [String] = []
      var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
      _ = try? scanner.document { scanner in
        try scanner.object { scanner, key in
          guard names.contains(scanner.decode(key)) else { return _ = try scanner.skip() }
          switch try scanner.peek() {
          case .object:
            try scanner.object { scanner, key in
              let name = scanner.decode(key)
              if let value = try text(&scanner) { found.append("\(name)=\(value)") }
            }
          case .array:
            var index = 0
            try scanner.array { scanner, _ in
              if let value = try text(&scanner) { found.append("\(index)=\(value)") }
              index += 1
            }
          default: _ = try scanner.skip()
          }
        }
      }
      return found
    }
  }

  private static func values(
    in payload: Data, maximumDepth: Int, _ isWanted: (String) -> Bool
  ) -> [(name: String, value: String)] {
    payload.withUnsafeBytes { bytes in
      var found: [(String, String)] = []
      var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
      _ = try? scanner.document { scanner in
        try scanner.object { scanner, key in
          let name = scanner.decode(key)
          guard isWanted(name) else { return _ = try scanner.skip() }
          if let value = try text(&scanner) { found.append((name, value)) }
        }
      }
      return found
    }
  }

  private static func text(_ scanner: inout JSONScanner) throws -> String? {
    switch try scanner.peek() {
    case .string: return scanner.decode(try scanner.string())
    case .boolean:
      let range = try scanner.skip().range
      return scanner.bytes[range.lowerBound] == UInt8(ascii: "t") ? "1" : "0"
    case .null:
      try scanner.skip()
      return nil
    default:
      let range = try scanner.skip().range
      return String(decoding: scanner.bytes[range], as: UTF8.self)
    }
  }

  // MARK: Comparing

  /// What ``SearchCondition/name(_:_:after:)`` asks of a column.
  static func isName(_ text: String, _ value: SearchValue, after separators: String = " .@-_/:=") -> Bool {
    guard case .text(let wanted, let isExact) = value else { return false }
    let (text, wantedBytes) = (lowercased(text), lowercased(wanted))
    if isExact { return text == wantedBytes }
    if wanted.contains("*") { return matches(text, wantedBytes) }
    if text.starts(with: wantedBytes) { return true }
    let ends = Set(separators.utf8)
    return text.indices.contains { ends.contains(text[$0]) && text[($0 + 1)...].starts(with: wantedBytes) }
  }

  static func isPart(_ wanted: String, of text: String) -> Bool {
    wanted.isEmpty || ByteFinder(wanted).isIn(text.utf8)
  }

  private static func lowercased(_ text: String) -> [UInt8] {
    text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// The asterisk stands for anything.
  private static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var parts = pattern.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), text.starts(with: first) else { return false }
    guard let last = parts.popLast() else { return text.count == first.count }
    var rest = text[first.count...]
    for part in parts where !part.isEmpty {
      guard let place = rest.firstRange(of: part) else { return false }
      rest = rest[place.upperBound...]
    }
    return rest.count >= last.count && rest.reversed().starts(with: last.reversed())
  }
}
