import AutoMobileClickHouse

/// Finds issues by terms: what ``IssueTerms`` asks of SQLite's. Each term has the names of issues for an answer, since what it asks of
/// reports, of their sessions and of people's decisions lies in three places.
///
/// An issue is found by what any of its reports says, not by the newest alone.
struct ClickHouseIssueTerms {
  let rows: IssueRows

  func names(_ query: SearchQuery) async throws -> IssueNames {
    var names = IssueNames.all
    for term in query.terms where !names.isEmpty {
      let found = try await self.names(term)
      names = names.and(term.isNegated ? found.negated : found)
    }
    return names
  }

  private func names(_ term: SearchTerm) async throws -> IssueNames {
    switch term.subject {
    case .word(let text), .phrase(let text): return try await anywhere(text)
    case .field(let field, let values):
      var names = IssueNames.only([])
      for value in values { names = names.or(try await self.names(field, value)) }
      return names
    }
  }

  // MARK: Places

  /// In what an issue is called, says, and is made of; in its kind, its versions, and the users whom it met.
  private func anywhere(_ text: String) async throws -> IssueNames {
    let value = SearchValue.text(text, isExact: false)
    let all: SQL = """
      concat(\(Self.title), ' ', ifNull(message, ''), ' ', bundle, ' ', ifNull(file, ''))
      """
    let said = try await said(
      ClickHouseTerms.any(
        [all, "functions", "kind", "ifNull(version, '')"].map { ClickHouseTerms.part($0, text) }
          + [ClickHouseTerms.name(rows.issue, value)]))
    return said.or(assigned { EventMember.isPart(text, of: $0) })
      .or(try await met(ClickHouseTerms.part("said_user", text)))
  }

  /// As ``IssueText`` puts it together, with what stands below a title.
  private static let title: SQL =
    "concat(ifNull(concat(template, ' '), ''), cause, ifNull(concat(' in ', culprit), ''))"

  private static let columns: [StaticString] = [
    "kind", "version", "cause", "culprit", "message", "file", "template", "functions",
  ]

  /// Issues with a report for which a condition holds.
  private func said(_ condition: SQL) async throws -> IssueNames {
    var found = rows.rows(Self.columns)
    found.filter.append(condition)
    return try await names(found)
  }

  /// With one of a session for which it holds.
  private func met(_ condition: SQL) async throws -> IssueNames {
    var found = rows.rows(["session"])
    found.range.append(ClickHouseSessionTerms.has(condition, rows.reading))
    return try await names(found)
  }

  private func names(_ found: DistinctRows) async throws -> IssueNames {
    let statement = rows.statement(found, []).inside { "SELECT DISTINCT issue FROM (\($0))" }
    return .only(Set(try await rows.reading.rows(statement) { try $0.string() }))
  }

  private func assigned(_ isWanted: (String) -> Bool) -> IssueNames {
    .only(Set(rows.decisions.notes.filter { $0.value.assignee.map(isWanted) ?? false }.keys))
  }

  /// Issues of which there is so much.
  private func counted(_ count: SQL, _ value: SearchValue) async throws -> IssueNames {
    let statement = rows.statement(rows.rows(["shard"]), ["shard"]).inside {
      "SELECT issue FROM (\($0)) GROUP BY issue HAVING \(ClickHouseTerms.number(count, value))"
    }
    return .only(Set(try await rows.reading.rows(statement) { try $0.string() }))
  }

  // MARK: Fields

  private func names(_ field: SearchField, _ value: SearchValue) async throws -> IssueNames {
    switch field.name {
    case "kind": try await said(ClickHouseTerms.any(Self.choices(field, value).map { "kind = \(text: $0)" }))
    case "title": try await said(ClickHouseTerms.part(Self.title, value))
    case "message": try await said(ClickHouseTerms.part("message", value))
    case "type": try await said(ClickHouseTerms.name("cause", value))
    case "function":
      try await said(ClickHouseTerms.any(["culprit", "functions"].map { ClickHouseTerms.part($0, value) }))
    case "file": try await said(ClickHouseTerms.part("file", value))
    case "assignee": assigned { EventMember.isName($0, value) }
    case "issue": try await said(ClickHouseTerms.name(rows.issue, value, after: ""))
    case "app": try await said(ClickHouseTerms.name("bundle", value, after: "."))
    case "version": try await said(ClickHouseTerms.version("ifNull(version, '')", value))
    case "reports": try await counted("toInt64(count())", value)
    case "sessions": try await counted("toInt64(uniqExact(shard))", value)
    case "status":
      Self.choices(field, value).reduce(IssueNames.only([])) { names, choice in
        names.or(choice == "regressed" ? rows.decisions.regressed : rows.decisions.names(with: choice))
      }
    default: try await met(ClickHouseSessionTerms.shared(field, value))
    }
  }

  private static func choices(_ field: SearchField, _ value: SearchValue) -> [String] {
    guard case .text(let text, let isExact) = value else { return [] }
    return field.choices.filter { isExact ? $0 == text : $0.hasPrefix(text) }
  }
}

extension KnownDecisions {
  var regressed: IssueNames { .only(Set(states.filter { $0.value.regressedAt != nil }.keys)) }

  func names(with status: String) -> IssueNames {
    let open = IssueStatus.open.rawValue
    guard status == open else { return .only(Set(states.filter { $0.value.status == status }.keys)) }
    return .except(Set(states.filter { $0.value.status != open }.keys))
  }
}
