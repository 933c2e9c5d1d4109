import Foundation

@testable import AutoMobileCollector

/// `Tests/Search/cases.json`: the query language as a table, for the API and the command line alike.
struct SearchCases {
  struct Case: Sendable, CustomStringConvertible {
    var domain: SearchDomain
    var query: String
    var found: [String] = []
    var offset = 0
    var says = ""
    var description: String { "\(domain.rawValue): \(query)" }
  }

  let app: String
  /// Events as an SDK sends them, each with its context.
  let events: [String]
  let cases: [Case]
  let refused: [Case]

  static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Search/cases.json")

  init() throws {
    let tree = try JSONDecoder().decode(JSONTree.self, from: Data(contentsOf: Self.file))
    func list(_ name: String, _ tree: JSONTree) -> [JSONTree] {
      if case .array(let list)? = tree[name] { list } else { [] }
    }
    app = tree["app"]?.string ?? ""
    events = list("sessions", tree).flatMap { session in
      let context = JSONTree.object([
        "sessionId": session["session"] ?? .null, "userId": session["user"] ?? .null,
        "appVersion": session["version"] ?? .null, "tags": session["tags"] ?? .null,
        "device": session["device"] ?? .null,
      ])
      return list("events", session).map { event in
        event.merged(with: .object(["sessionId": session["session"] ?? .null, "context": context])).text
      }
    }
    func cases(_ name: String) -> [Case] {
      list(name, tree).compactMap { entry in
        SearchDomain(rawValue: entry["in"]?.string ?? "").map { domain in
          Case(
            domain: domain, query: entry["q"]?.string ?? "",
            found: list("found", entry).map { $0.string ?? $0.text }.sorted(),
            offset: Int(entry["at"]?.integer ?? 0), says: entry["says"]?.string ?? "")
        }
      }
    }
    self.cases = cases("cases")
    refused = cases("refused")
  }

  /// What the table calls the things that were found.
  static func names(_ answer: JSONValue, _ domain: SearchDomain) -> [String] {
    switch domain {
    case .sessions: answer["sessions"].array.compactMap { $0["sessionId"].string }.sorted()
    case .requests: answer["requests"].array.compactMap { $0["path"].string }.sorted()
    case .events: answer["events"].array.compactMap { $0["timestamp"].int.map(String.init) }.sorted()
    case .issues: answer["issues"].array.compactMap { $0["cause"].string }.sorted()
    }
  }
}

extension SearchDomain {
  /// Where the API lists them.
  var path: String {
    switch self {
    case .sessions: "/api/sessions"
    case .requests: "/api/network"
    case .events: "/api/events"
    case .issues: "/api/issues"
    }
  }
}
