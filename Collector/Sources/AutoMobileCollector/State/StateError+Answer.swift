import AutoMobileState

extension StateError {
  /// What is told of a state that does not answer now, or is being written by too many; nil when another try changes nothing.
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
    case .conflict, .refused, .value, .engine: nil
    }
  }
}
