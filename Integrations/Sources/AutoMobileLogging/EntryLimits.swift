import AutoMobileRecorder
import Logging

/// What an entry may hold: a log is written by whoever likes to, and one entry must not push out a thousand others.
enum EntryLimits {
  static let longestMessage = 16 << 10
  static let longestName = 256
  static let longestText = 4096
  static let mostFields = 64
  static let mostElements = 64
  static let depth = 4

  /// Of too many the first by name.
  static func fields(_ metadata: Logger.Metadata) -> [String: MetadataValue] {
    guard !metadata.isEmpty else { return [:] }
    let names = metadata.count <= mostFields ? Array(metadata.keys) : Array(metadata.keys.sorted().prefix(mostFields))
    return Dictionary(
      names.compactMap { name in metadata[name].map { (text(name, most: longestName), value($0, depth: 1)) } },
      uniquingKeysWith: { first, _ in first })
  }

  private static func value(_ value: Logger.MetadataValue, depth: Int) -> MetadataValue {
    switch value {
    case .string(let string): return .string(text(string, most: longestText))
    case .stringConvertible(let value): return plain(value)
    case .array(let elements):
      guard depth < Self.depth else { return .string("…") }
      return .array(elements.prefix(mostElements).map { self.value($0, depth: depth + 1) })
    case .dictionary(let members):
      guard depth < Self.depth else { return .string("…") }
      let names = members.keys.sorted().prefix(mostElements)
      return .object(
        Dictionary(
          names.compactMap { name in
            members[name].map { (text(name, most: longestName), self.value($0, depth: depth + 1)) }
          },
          uniquingKeysWith: { first, _ in first }))
    }
  }

  /// Numbers stay numbers, so that they can be compared.
  private static func plain(_ value: any CustomStringConvertible) -> MetadataValue {
    switch value {
    case let bool as Bool: .bool(bool)
    case let number as any BinaryInteger:
      Int64(exactly: number).map { .int($0) } ?? .string(text(value.description, most: longestText))
    case let number as Double: .double(number)
    case let number as Float: .double(Double(number))
    default: .string(text(value.description, most: longestText))
    }
  }

  static func text(_ text: String, most bytes: Int) -> String {
    text.utf8.count <= bytes ? text : String(decoding: text.utf8.prefix(bytes), as: UTF8.self)
  }
}
