import Foundation

/// Says of requests what was found, where the rows themselves do not show it.
struct RequestMatches {
  private let texts: [String]
  /// Events that are read for one page.
  static let most = 200

  /// What a session says of itself, in the order in which it is looked at.
  struct Session {
    var version: String?
    var device: String?
    var system: String?
    var tags: String?
    var name: String
  }

  init(_ query: SearchQuery) {
    texts = Array(
      query.terms.filter { !$0.isNegated }.compactMap { term in
        switch term.subject {
        case .word(let text), .phrase(let text): text
        case .field: nil
        }
      }.prefix(8))
  }

  var isEmpty: Bool { texts.isEmpty }

  /// What the row itself does not show.
  func rest(of row: NetworkRow) -> [String] { texts.filter { !row.known.localizedStandardContains($0) } }

  /// Where in the request's event, or else in what is known of its session, something of the rest stands.
  func match(
    _ row: NetworkRow, _ rest: [String], payload: Data?, session: () throws -> Session?
  ) rethrows -> SearchMatch? {
    let snippet =
      try payload?.withUnsafeBytes { SearchMatch.snippet(rest, in: $0, maximumDepth: 64) }
      ?? session().flatMap { Self.found(rest, in: $0) }
    return snippet.map {
      SearchMatch(
        event: row.event, timestamp: row.timestamp, type: "network_request", field: $0.field, text: $0.text)
    }
  }

  private static func found(_ rest: [String], in session: Session) -> (field: String, text: String)? {
    let said = [
      ("version", session.version), ("device", session.device), ("os", session.system), ("tags", session.tags),
      ("session", session.name),
    ]
    for case (let field, let text?) in said where rest.contains(where: { text.localizedStandardContains($0) }) {
      return (field, SearchMatch.line(text))
    }
    return nil
  }
}

extension NetworkRow {
  /// What a list shows of it.
  fileprivate var known: String {
    [method, host, path, query, status.map(String.init), error, tracer, mock, operation, userId, bundleId]
      .compactMap { $0 }.joined(separator: "\n")
  }
}
