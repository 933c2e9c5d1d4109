/// Which events.
struct EventFilter: Sendable {
  var session: String?
  /// Empty: all.
  var types: [String] = []
  var query = SearchQuery(everythingIn: .events)

  /// An index leads to all that it leaves, or it leaves all.
  var isCheap: Bool { query.isEmpty && types.isEmpty && session == nil }
}
