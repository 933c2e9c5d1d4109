import AutoMobileState

extension StateError {
  /// The code of an answer to a change of which nobody knows whether it was kept.
  static let unknownCode = "state_unknown"

  /// What is told of a state that does not answer now, or is being written by too many, or went away in the middle; nil when another try
  /// changes nothing.
  ///
  /// Without the engine's words: they have addresses in them. The log has all of it.
  var answer: APIError? {
    switch kind {
    case .unavailable:
      APIError(
        .serviceUnavailable, "state_unavailable",
        "projects, settings and decisions cannot be read or changed now: their database does not answer", retryAfter: 10
      )
    case .busy:
      APIError(
        .serviceUnavailable, "state_busy", "others change the same at this moment: try it again", retryAfter: 1)
    // No Retry-After: whoever only sends it again may have it done twice.
    case .unknown:
      APIError(
        .gatewayTimeout, Self.unknownCode,
        """
        the database went away while this was being kept: it may have been kept, or not. When it answers again, look at what is there \
        (read the same thing, or its list) before you send it once more
        """)
    case .conflict, .refused, .value, .engine: nil
    }
  }
}
