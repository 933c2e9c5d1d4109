/// For values that are kept under a name, outside of any exchange.
extension HTTPRedaction {
  /// Whether secrets are kept under such a name.
  package func isSecret(name: String) -> Bool { names.match(name) }

  /// JSON, possibly cut off, without what stands under secret names. When it cannot be understood, and something in it
  /// looks like a secret, nothing is left of it.
  package func redactedJSON(_ json: String) -> String {
    do {
      return String(decoding: try JSONRedactor.redacted(Array(json.utf8), names), as: UTF8.self)
    } catch is JSONTokens.Malformed {
      let isSafe = !names.isFoundAnywhere(in: json.utf8) && !secrets.isFound(in: json)
      return isSafe ? json : Self.mark
    } catch {
      return Self.mark
    }
  }
}
