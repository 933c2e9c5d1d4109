import Hummingbird

/// Which sessions, and in which order.
struct SessionFilter: Sendable {
  enum Order: String, Sendable, CaseIterable {
    case newest, longest, events, errors
    /// What the words stand in: a name, an issue, what is known of the session, or only an event.
    case relevance
  }

  /// What sessions are narrowed by, each with the values that are wanted; empty: any.
  enum Facet: String, CaseIterable, Sendable {
    case app, version, device, os, ended, has
  }

  /// What a session can have.
  static let has = ["crash", "error", "failed", "hang", "live"]

  var query = SearchQuery(everythingIn: .sessions)
  var user: SearchPattern?
  /// In the tags as JSON, and as `name=value`.
  var tag: SearchPattern?
  var screen: SearchPattern?
  /// Words of a request's URL.
  var url: SearchPattern?
  /// Words of a log's message, and of an error's.
  var message: SearchPattern?
  /// Sessions of which something lies within; in milliseconds since 1970.
  var from: Int64?
  var to: Int64?
  var facets: [Facet: [String]] = [:]
  var order = Order.newest

  /// How often something is looked for among the words of events, or of everything.
  var lookups: Int {
    query.lookups + [url, message].count { $0 != nil } + (order == .relevance && !query.isEmpty ? 1 : 0)
  }

  /// The newest sessions, or some of them that stand together: nothing is looked through.
  var isCheap: Bool {
    order == .newest && facets.isEmpty && query.isEmpty && [user, tag, screen, url, message].allSatisfy { $0 == nil }
  }

  /// The same, with whole words only.
  var withWholeWords: SessionFilter {
    var filter = self
    filter.query.isWholeWords = true
    filter.url?.isWholeWords = true
    filter.message?.isWholeWords = true
    return filter
  }

  /// All of them.
  init() {}

  /// - Throws: ``APIError`` that says which parameter is no good.
  init(_ request: Request) throws {
    func pattern(_ name: String) -> SearchPattern? { request.parameter(name).flatMap(SearchPattern.init) }
    query = try SearchQuery(request.parameter("q") ?? "", in: .sessions)
    user = pattern("user")
    tag = pattern("tag")
    screen = pattern("screen")
    url = pattern("url")
    message = pattern("message")
    from = try request.time("from")
    to = try request.time("to")
    for facet in Facet.allCases {
      let values = request.parameters(facet.rawValue)
      if !values.isEmpty { facets[facet] = values }
    }
    for value in facets[.has] ?? [] where !Self.has.contains(value) {
      let known = Self.has.joined(separator: ", ")
      throw APIError.badRequest("invalid_has", "has is one of \(known)")
    }
    if let text = request.parameter("sort") {
      guard let order = Order(rawValue: text) else {
        throw APIError.badRequest("invalid_sort", "sort must be newest, longest, events, errors or relevance")
      }
      self.order = order
    }
  }

  var withoutFacets: SessionFilter {
    var copy = self
    copy.facets = [:]
    return copy
  }
}
