extension SessionFilter.Order {
  /// An expression over `session`, of integers.
  var key: String {
    switch self {
    case .newest: "session.last"
    case .longest: "(session.last - session.first)"
    case .events: SessionSelection.events
    case .errors: SessionSelection.errors
    case .relevance: SessionRelevance.key
    }
  }
}
