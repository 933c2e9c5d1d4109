import AutoMobileSupport

/// What an app says about a span has an end, whatever it says.
extension SdkSpanEvent {
  /// The attributes that fit; of too many the first by name.
  static func bounded(_ attributes: [String: MetadataValue]) -> [String: MetadataValue] {
    // Nearly always they fit, and nothing is copied.
    if attributes.count <= mostAttributes, attributes.allSatisfy({ fits($0.key) && isPlain($0.value) }) {
      return attributes
    }
    var result: [String: MetadataValue] = [:]
    for name in attributes.keys.ordered().prefix(mostAttributes) where !name.isEmpty {
      result[name.limited(to: longestName)] = attributes[name].flatMap(bounded)
    }
    return result
  }

  private static func fits(_ name: String) -> Bool { !name.isEmpty && name.utf8.count <= longestName }

  private static func isPlain(_ value: MetadataValue, depth: Int = 0) -> Bool {
    switch value {
    case .string(let text): text.utf8.count <= longestText
    case .int, .bool: true
    case .double(let number): number.isFinite
    case .array(let elements):
      depth == 0 && elements.count <= mostElements && elements.allSatisfy { isPlain($0, depth: 1) }
    case .null, .object: false
    }
  }

  /// What is no attribute's value becomes its JSON as text; nil for nothing.
  private static func bounded(_ value: MetadataValue) -> MetadataValue? {
    switch value {
    case .null: nil
    case .array(let elements):
      .array(elements.prefix(mostElements).map { isPlain($0, depth: 1) ? $0 : .string(text($0)) })
    default: isPlain(value) ? value : .string(text(value))
    }
  }

  private static func text(_ value: MetadataValue) -> String {
    if case .double(let number) = value { return "\(number)" }
    return value.text.limited(to: longestText)
  }
}
