/// Why a blob could not be put, read or removed, and what to do about it.
package struct BlobError: Error, Equatable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// There is no such blob, or it ends too early.
    case missing
    /// There is another one of this name.
    case exists
    /// The store does not answer, or not now: the same again may succeed.
    case unavailable
    /// The store answers, and says no: somebody has to change something.
    case refused
    /// What came is not what was sent.
    case damaged
  }

  package var kind: Kind
  package var description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension BlobError {
  /// What a reader is told; nil when the blob itself is at fault, of which its reader knows more.
  var answer: APIError? {
    switch kind {
    case .missing, .damaged: return nil
    case .unavailable, .refused, .exists:
      // Not in its own words: hosts and files of the machine are its operator's to know, who finds them in the log.
      let reason = kind == .unavailable ? "the blob store does not answer" : "the blob store refuses it"
      return APIError(
        .serviceUnavailable, "blobs_unavailable",
        "what was asked for cannot be read now: \(reason), and the collector's log says why", retryAfter: 10)
    }
  }
}
