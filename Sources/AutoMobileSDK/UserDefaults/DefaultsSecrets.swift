import AutoMobileHTTP

/// Secrets do not leave the device: of a key whose name tells of one the value is not told, nor what looks like one in a text.
enum DefaultsSecrets {
  private static let redaction = HTTPRedaction()

  static func redacted(_ pair: KeyValuePair) -> String? {
    guard let value = pair.value else { return nil }
    switch pair.type {
    case .bool: return value
    case _ where redaction.isSecret(name: pair.key): return HTTPRedaction.mark
    case .array, .dictionary: return redaction.redactedJSON(value)
    case .string where value.first == "{" || value.first == "[": return redaction.redactedJSON(value)
    case .string: return redaction.redactedText(value)
    case .data, .date, .int, .double, .unknown: return value
    }
  }

  static func isSecret(_ key: String) -> Bool { redaction.isSecret(name: key) }
}
