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
    case .string: return redacted(text: value)
    case .data, .date, .int, .double, .unknown: return value
    }
  }

  /// What stands under a name that tells of no secret.
  static func redacted(text: String) -> String {
    text.first == "{" || text.first == "[" ? redaction.redactedJSON(text) : redaction.redactedText(text)
  }

  static func isSecret(_ key: String) -> Bool { redaction.isSecret(name: key) }
}
