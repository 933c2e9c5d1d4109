import AutoMobileClickHouse

/// A ``SessionFilter`` as a question about ClickHouse's sessions.
///
/// Sessions are put together first, and asked of afterwards, where all is that lies on any shard.
struct ClickHouseSessionSelection {
  let reading: ClickHouseReading
  /// From which time on a session counts as live.
  let live: Int64
  private(set) var conditions: [SQL] = []

  static let notThere = APIError(
    .notImplemented, "not_on_cluster", "this cannot be asked of a cluster: the documentation says what can (Cluster)")

  /// - Throws: ``APIError`` 501 for what only one machine's index knows.
  init(_ filter: SessionFilter, _ reading: ClickHouseReading, live: Int64) throws {
    self.reading = reading
    self.live = live
    let terms = ClickHouseSessionFilterTerms(reading: reading, live: live)
    conditions += try terms.conditions(filter.query)
    if let user = filter.user { conditions.append(ClickHouseTerms.part("said_user", user.text)) }
    if let tag = filter.tag {
      conditions.append(ClickHouseSessionTerms.shared(Self.tagField, .text(tag.text, isExact: false)))
    }
    if let screen = filter.screen { conditions.append(terms.visited(screen.text)) }
    if let url = filter.url { conditions.append(terms.events(url, types: ["network_request"]) ?? "0") }
    if let message = filter.message { conditions.append(terms.events(message, types: SessionTerms.saying) ?? "0") }
    if let from = filter.from { conditions.append("said_last >= \(from)") }
    if let to = filter.to { conditions.append("said_first < \(to)") }
    for facet in SessionFilter.Facet.allCases {
      if let values = filter.facets[facet], !values.isEmpty { conditions += try self.facet(facet, values) }
    }
  }

  private static let tagField = SearchField(name: "tag", kind: .text, summary: "", example: "")

  private func facet(_ facet: SessionFilter.Facet, _ values: [String]) throws -> [SQL] {
    let list = SQL.joined(values.map { "\(text: $0)" }, ", ")
    switch facet {
    case .app: return ["said_bundle IN (\(list))"]
    case .version: return ["said_version IN (\(list))"]
    case .device: return ["\(ClickHouseSessionTerms.model) IN (\(list))"]
    case .os: return ["\(ClickHouseSessionTerms.system) IN (\(list))"]
    case .ended: return ["\(SessionColumns.ended) IN (\(list))"]
    // Each narrows further: with a crash and with a hang.
    case .has: return try values.map { try ClickHouseSessionFilterTerms(reading: reading, live: live).has($0) }
    }
  }

  /// An expression over what is selected, of integers.
  ///
  /// - Parameter query: what is meant first, in the order of relevance.
  func key(_ order: SessionFilter.Order, _ query: SearchQuery) -> SQL {
    switch order {
    case .newest: "said_last"
    case .longest: "(said_last - said_first)"
    case .events: SessionColumns.events
    case .errors: SessionColumns.errors
    case .relevance:
      "toInt64(toInt64(\(points(query.words))) * 100000000000000 + least(greatest(said_last, 0), 99999999999999))"
    }
  }

  /// As ``SessionRelevance``: a name before an issue, an issue before anything that was merely said.
  private func points(_ words: [String]) -> SQL {
    guard !words.isEmpty else { return "0" }
    let text = SearchValue.text(words.joined(separator: " "), isExact: false)
    let names = ["said_user", "session"].map { ClickHouseTerms.name($0, text, after: "") }
    let issue = ClickHouseSessionFilterTerms(reading: reading, live: live).hasReport(all: words)
    let known = ClickHouseTerms.all(words.map(ClickHouseSessionTerms.known))
    return "multiIf(\(ClickHouseTerms.any(names)), 3, \(issue), 2, \(known), 1, 0)"
  }

  /// Sessions that pass.
  ///
  /// - Parameter selected: of each, behind its names.
  func statement(
    _ selected: [SQL], order: [SQL], limit: Int, and further: [SQL] = []
  ) async throws -> SeenSQL {
    let asked = selected + conditions + further + order
    let named = SessionColumns.named(in: asked + ["said_last"])
    let text = SQL.joined(asked, " ").rendered(parameters: false).text
    let sessions = reading.sessions(SeenSessions(selected: named))
    let counts = text.contains("counted_") ? try await SessionColumns.counts(reading) : nil
    let ends = text.contains("ended_verdict") ? SessionColumns.ends(reading) : nil
    let told = text.contains("told_") ? SessionColumns.told(reading) : nil
    return sessions.inside { sessions in
      var source: SQL = "(\(sessions))"
      for join in [counts, ends, told].compactMap(\.self) {
        source = "(SELECT * FROM \(source) AS whole ANY LEFT JOIN (\(join)) AS joined USING (project, session))"
      }
      let tests = (conditions + further).map { "(\($0))" as SQL }
      let condition: SQL = tests.isEmpty ? "" : " WHERE \(SQL.joined(tests, " AND "))"
      return """
        SELECT project, session, shard, \(SQL.joined(selected, ", ")) FROM \(source)\(condition) \
        ORDER BY \(SQL.joined(order, ", ")) LIMIT \(count: limit)
        """
    }
  }
}
