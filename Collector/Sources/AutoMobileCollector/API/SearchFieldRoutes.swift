import Hummingbird

/// `/api/search/…`: what the query language knows, for whoever completes what somebody types.
struct SearchFieldRoutes: Sendable {
  let values: any ValueReading

  func add(to routes: RouteTable) {
    routes.get("/api/search/fields", for: .reader) { request, _, _ in try fields(request) }
    routes.get("/api/search/values", for: .reader) { request, _, scope in try await values(scope, request) }
  }

  private func fields(_ request: Request) throws -> Response {
    let domains = try request.parameter("in").map { [try Self.domain($0)] } ?? SearchDomain.allCases
    var json = JSONOutput()
    json.object {
      for domain in domains {
        $0.array(domain.rawValue) {
          for field in SearchCatalogue.fields(domain) {
            $0.object { field.writeMembers(to: &$0) }
          }
        }
      }
    }
    return json.response()
  }

  private func values(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let domain = try Self.domain(request.parameter("in") ?? "")
    guard let name = request.parameter("field"), let field = SearchCatalogue.field(name, in: domain) else {
      let known = SearchCatalogue.fields(domain).map(\.name).joined(separator: ", ")
      throw APIError.badRequest("invalid_field", "field is one of \(known)")
    }
    let beginning = String((request.parameter("begins") ?? "").prefix(SearchQuery.longestValue / 2))
    let found = try await values.values(scope, of: field, in: domain, beginning: beginning)
    var json = JSONOutput()
    json.object {
      $0.array("values") {
        for value in found {
          $0.object {
            $0.member("value", value.text)
            $0.member("count", value.count)
          }
        }
      }
    }
    return json.response()
  }

  private static func domain(_ name: String) throws -> SearchDomain {
    guard let domain = SearchDomain(rawValue: name) else {
      let known = SearchDomain.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError.badRequest("invalid_in", "in is one of \(known)")
    }
    return domain
  }
}

extension SearchField {
  /// The members, inside an object that the caller has begun.
  fileprivate func writeMembers(to json: inout JSONOutput) {
    json.member("name", name)
    json.member("summary", summary)
    json.member("example", example)
    json.member("compares", isCompared)
    json.member("values", hasValues)
    if !choices.isEmpty { json.array("choices") { for choice in choices { $0.string(choice) } } }
    if !aliases.isEmpty { json.array("aliases") { for alias in aliases { $0.string(alias) } } }
    if !splitsAtCommas { json.member("commas", true) }
  }
}
