import Hummingbird

/// Which requests.
struct NetworkFilter: Sendable {
  enum Status: Equatable, Sendable {
    case exactly(Int64)
    /// `5` for 500 to 599.
    case hundreds(Int64)
    /// No answer came.
    case none
    /// None of those, because the process ended first.
    case unfinished
  }

  enum Order: String, Sendable, CaseIterable {
    case newest, oldest, slowest
  }

  var session: String?
  /// Empty: any.
  var methods: [String] = []
  /// Empty: any.
  var statuses: [Status] = []
  /// With asterisks: a pattern.
  var host: String?
  /// Without the query; `*` stands for anything, `?` for one character.
  var path: String?
  /// A path as statistics count it: `/v1/orders/:id`.
  var route: String?
  /// In microseconds.
  var minimumDuration: Int64?
  var query = SearchQuery(everythingIn: .requests)
  var tracer: String?
  /// Whether a mock rule answered.
  var isMocked: Bool?
  /// Only those that failed: see ``RequestOutcome``.
  var failed = false
  var bundleId: String?
  /// In milliseconds since 1970; the end is not in it.
  var from: Int64?
  var to: Int64?
  /// Only what arrived after this event.
  var arrivedAfter: Int64?
  var order = Order.newest
}

extension NetworkFilter {
  /// From a request's query.
  ///
  /// - Throws: ``APIError`` that says which parameter is no good, and what it looks like.
  init(_ request: Request) throws {
    self.init()
    session = request.parameter("session")
    methods = (request.parameter("method") ?? "").split(separator: ",").prefix(16).map { $0.uppercased() }
    statuses = try (request.parameter("status") ?? "").split(separator: ",").prefix(16).map { try Self.status($0) }
    host = request.parameter("host")?.lowercased()
    path = request.parameter("path")
    route = request.parameter("route")
    if [host, path].contains(where: { ($0?.count { $0 == "*" } ?? 0) > 8 }) {
      throw APIError.badRequest("invalid_pattern", "a pattern can have at most 8 asterisks")
    }
    if let text = request.parameter("minMs") {
      guard let value = Double(text), (0...1e9).contains(value) else {
        throw APIError.badRequest("invalid_duration", "minMs must be a number of milliseconds")
      }
      minimumDuration = Int64(value * 1000)
    }
    query = try SearchQuery(request.parameter("q") ?? "", in: .requests)
    tracer = request.parameter("tracer")
    isMocked = try request.flag("mocked")
    failed = try request.flag("failed") ?? false
    bundleId = request.parameter("app")
    from = try request.time("from")
    to = try request.time("to")
    if let text = request.parameter("arrivedAfter") {
      guard let event = Int64(text) else {
        throw APIError.badRequest("invalid_arrivedAfter", "arrivedAfter must be the number of an event")
      }
      arrivedAfter = event
    }
    if let text = request.parameter("sort") {
      guard let order = Order(rawValue: text) else {
        throw APIError.badRequest("invalid_sort", "sort must be newest, oldest or slowest")
      }
      self.order = order
    }
  }

  private static func status(_ text: Substring) throws -> Status {
    if text == "none" { return .none }
    if text == "unfinished" { return .unfinished }
    if let code = Int64(text), (0...999).contains(code) { return .exactly(code) }
    if text.count == 3, text.lowercased().hasSuffix("xx"), let hundreds = text.first?.wholeNumberValue, hundreds < 10 {
      return .hundreds(Int64(hundreds))
    }
    throw APIError.badRequest(
      "invalid_status", "status must be a code (404), a class (5xx), none or unfinished; several with commas")
  }
}

extension Request {
  fileprivate func flag(_ name: String) throws -> Bool? {
    switch parameter(name) {
    case nil: return nil
    case "true", "1": return true
    case "false", "0": return false
    default: throw APIError.badRequest("invalid_\(name)", "\(name) must be true or false")
    }
  }
}
