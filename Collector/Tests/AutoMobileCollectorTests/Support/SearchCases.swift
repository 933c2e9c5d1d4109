import AutoMobileJournal
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

  /// One session, recorded by one launch.
  struct Recorded: Sendable {
    var launch: LaunchID
    /// As an SDK sends them, each with its context.
    var events: [String]
  }

  /// What people decide about an issue, which is called by its cause.
  struct Decision: Sendable {
    var issue: String
    var assignee: String
    var status: String
  }

  let app: String
  let sessions: [Recorded]
  let decided: [Decision]
  let cases: [Case]
  let refused: [Case]

  static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Search/cases.json")

  init() throws {
    let tree = try JSONDecoder().decode(JSONTree.self, from: Data(contentsOf: Self.file))
    func list(_ name: String, _ tree: JSONTree) -> [JSONTree] {
      if case .array(let list)? = tree[name] { list } else { [] }
    }
    app = tree["app"]?.string ?? ""
    sessions = list("sessions", tree).map { session in
      let context = JSONTree.object([
        "sessionId": session["session"] ?? .null, "userId": session["user"] ?? .null,
        "appVersion": session["version"] ?? .null, "tags": session["tags"] ?? .null,
        "device": session["device"] ?? .null,
      ])
      let events = list("events", session).map { event in
        event.merged(with: .object(["sessionId": session["session"] ?? .null, "context": context])).text
      }
      return Recorded(launch: LaunchID(session["launch"]?.string ?? "") ?? LaunchID(), events: events)
    }
    decided = list("decided", tree).map {
      Decision(
        issue: $0["issue"]?.string ?? "", assignee: $0["assignee"]?.string ?? "", status: $0["status"]?.string ?? "")
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
