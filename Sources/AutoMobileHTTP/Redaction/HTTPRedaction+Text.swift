extension HTTPRedaction {
  /// Headers, with the mark for credentials, and without the secrets in the other values' URLs.
  public func redactedHeaders(_ headers: [String: String]) -> [String: String] {
    guard !self.headers.isEmpty else { return headers }
    var result = headers
    for (name, value) in headers {
      let redacted = names.match(name) ? Self.mark : redactedText(value)
      if redacted != value { result[name] = redacted }
    }
    return result
  }

  /// Text of no particular format, for example an error's message: its URLs are redacted; when there is still something
  /// like a secret in it, nothing is left of it.
  public func redactedText(_ text: String) -> String {
    guard !isNone, secrets.isFound(in: text) else { return text }
    var redacted: [String] = []
    // The same with the redacted URLs as nothing particular, for the marks in them stand under the names.
    var rest: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let isURL = word.contains("://") || word.contains("?")
      redacted.append(isURL ? redactedURL(String(word)) : String(word))
      rest.append(isURL ? "x" : String(word))
    }
    return secrets.isFound(in: rest.joined(separator: " ")) ? Self.mark : redacted.joined(separator: " ")
  }
}
