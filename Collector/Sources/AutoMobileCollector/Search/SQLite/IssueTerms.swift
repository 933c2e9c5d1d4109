import GRDB

/// Terms as conditions on `issue`, with its state beside it.
struct IssueTerms {
  /// Whether sessions are only looked at as far as they are among the newest: all of them can be too many, and each is in
  /// question once for every issue and term.
  var newestSessions = false

  func conditions(_ query: SearchQuery) -> [SearchCondition] {
    query.terms.map { condition($0).negated(if: $0.isNegated) }
  }

  private func condition(_ term: SearchTerm) -> SearchCondition {
    switch term.subject {
    case .word(let text), .phrase(let text): anywhere(text)
    case .field(let field, let values): .any(values.map { value(field, $0) })
    }
  }

  /// In what an issue is called, says, and is made of. Asks for nothing but `issue` itself: sessions are found by it too.
  static func text(_ text: String) -> SearchCondition {
    .any([
      .part(
        """
        (\(title) || ' ' || IFNULL(message, '') || ' ' || IFNULL(issue.bundleId, '') || ' ' || IFNULL(file, ''))
        """, text),
      more(.any([.part("functions", text), .part("messages", text)])),
    ])
  }

  /// As ``IssueText`` puts it together, with what stands below a title.
  private static let title = "(IFNULL(template || ' ', '') || cause || IFNULL(' in ' || culprit, ''))"

  /// Besides in its kind, its versions, and the users whom it met.
  private func anywhere(_ text: String) -> SearchCondition {
    .any([
      Self.text(text), .part("IFNULL(assignee, '')", text), SearchCondition.part("kind", text),
      .name("issue.name", .text(text, isExact: false)),
      SearchCondition.part("version", text).inside("EXISTS (SELECT 1 FROM issue_version WHERE issue = issue.id AND "),
      sessions(.part("session.userId", text)),
    ])
  }

  private static func more(_ condition: SearchCondition) -> SearchCondition {
    condition.inside("EXISTS (SELECT 1 FROM issue_text WHERE issue_text.issue = issue.id AND ")
  }

  private func sessions(_ condition: SearchCondition) -> SearchCondition {
    if newestSessions {
      // Worked out once, from the sessions.
      return condition.inside(
        """
        issue.id IN (SELECT issue_event.issue FROM (SELECT * FROM session ORDER BY last DESC LIMIT \(SearchedSessions.most)) AS session
          CROSS JOIN issue_event ON issue_event.session = session.id WHERE \

        """)
    }
    return condition.inside(
      """
      EXISTS (SELECT 1 FROM issue_session JOIN session ON session.id = issue_session.session
        WHERE issue_session.issue = issue.id AND \

      """)
  }

  private func value(_ field: SearchField, _ value: SearchValue) -> SearchCondition {
    switch field.name {
    case "kind": Self.choice(value, field) { SearchCondition("kind = ?", [$0]) }
    case "title": .part(Self.title, value)
    case "message": .any([.part("message", value), Self.more(.part("messages", value))])
    case "type": .name("cause", value)
    case "function": .any([.part("culprit", value), Self.more(.part("functions", value))])
    case "file": .part("file", value)
    case "assignee": .name("assignee", value)
    case "issue": .name("issue.name", value, after: "")
    case "app": .name("issue.bundleId", value, after: ".")
    case "version":
      SearchCondition.version("issue_version.version", value).inside(
        "EXISTS (SELECT 1 FROM issue_version WHERE issue = issue.id AND ")
    case "reports": .number("issue.events", value)
    case "sessions": .number("(SELECT COUNT(*) FROM issue_session WHERE issue_session.issue = issue.id)", value)
    case "status":
      Self.choice(value, field) {
        $0 == "regressed"
          ? SearchCondition("regressedAt IS NOT NULL") : SearchCondition("IFNULL(status, 'open') = ?", [$0])
      }
    default: sessions(SessionTerms.shared(field, value))
    }
  }

  private static func choice(
    _ value: SearchValue, _ field: SearchField, _ condition: (String) -> SearchCondition
  ) -> SearchCondition {
    guard case .text(let text, let isExact) = value else { return .never }
    return .any(field.choices.filter { isExact ? $0 == text : $0.hasPrefix(text) }.map(condition))
  }
}
