import AutoMobileState

/// Issues have an order of their own, in which a report stands once the symbolizer has looked at it (``IssueArrivals``). What people have
/// decided about them is asked of the state.
extension ClickHouseAlerts {
  /// An issue none of whose reports was here before, and about which nobody has decided anything yet.
  func findNewIssues(_ look: inout AlertLook, _ rule: AlertRule, _ context: AlertLook.Context) async throws {
    let touched = try await touched(&look, rule).filter { !$0.isKnown }
    let decided = try await decided(touched.map(\.issue.name))
    for touched in touched where !decided.contains(touched.issue.name) {
      look.tellNew(touched.issue, reports: touched.reports, first: touched.first, version: touched.version)
    }
    try await findClosed(&look, rule, context)
  }

  /// An issue of which more reports than that happened within the time: by when it happened, not by when it arrived.
  func findIssueRates(_ look: inout AlertLook, _ rule: AlertRule, _ context: AlertLook.Context) async throws {
    let most = Int64(rule.settings.threshold ?? 0)
    let length = Int64(rule.settings.minutes ?? 60) * 60_000
    let version = rule.settings.version
    var burst: Set<String> = []
    for touched in try await touched(&look, rule) {
      let times = try await issues.times(
        of: touched.issue.name, from: touched.first - length, to: touched.last + length, version: version)
      guard times.count > most, let found = AlertLook.Burst(of: times, above: most, within: length) else { continue }
      burst.insert(touched.issue.name)
      look.tellBurst(rule, touched.issue, found)
    }
    for name in context.firing.keys.sorted() where !burst.contains(name) {
      let count = try await issues.times(
        of: name, from: context.now - length, to: context.now, version: version
      ).count
      guard count <= most else { continue }
      look.tellCalm(rule, name, Int64(count), title: try await issues.row(of: name)?.title, at: context.now)
    }
  }

  /// A resolved issue came back: what was noticed and noted down.
  func findRegressions(_ look: inout AlertLook, _ rule: AlertRule, _ context: AlertLook.Context) async throws {
    if context.regressions.end > 0 { look.cursor = context.regressions.end }
    look.isPartial = context.regressions.isPartial
    for change in context.regressions.changes {
      if let issue = try await issues.row(of: change.name) { look.tellRegression(rule, change, of: issue) }
    }
    try await findClosed(&look, rule, context)
  }

  /// Moves the cursor over new reports, and gives the issues that they are in.
  private func touched(_ look: inout AlertLook, _ rule: AlertRule) async throws -> [TouchedIssue] {
    let arrived = try await issues.arrived(
      after: look.cursor, version: rule.settings.version, limit: AlertLook.step)
    (look.cursor, look.isPartial) = (arrived.upTo, arrived.isPartial)
    return arrived.touched.filter { rule.settings.admits($0.issue) }
  }

  /// Of these issues, those about which somebody has decided something.
  private func decided(_ names: [String]) async throws -> Set<String> {
    guard !names.isEmpty else { return [] }
    return try await state.read { state -> Set<String> in
      var decided: Set<String> = []
      for name in names where try state.row("SELECT name FROM issue_state WHERE name = ?1", name) != nil {
        decided.insert(name)
      }
      return decided
    }
  }

  /// What was told of and has been resolved or ignored by somebody since: it is over for whoever was told.
  private func findClosed(_ look: inout AlertLook, _ rule: AlertRule, _ context: AlertLook.Context) async throws {
    guard !context.firing.isEmpty else { return }
    let firing = context.firing.sorted { $0.key < $1.key }
    let closed = try await state.read { state -> [(name: String, status: String, by: String, at: Int64)] in
      var closed: [(name: String, status: String, by: String, at: Int64)] = []
      for (name, since) in firing {
        let row = try state.row(
          "SELECT status, changedBy, changedAt FROM issue_state WHERE name = ?1 AND status <> 'open' AND changedAt >= ?2",
          name, since)
        if let row { closed.append((name, try row[0], try row[1], try row[2])) }
      }
      return closed
    }
    for (name, status, author, at) in closed where look.findings.count < AlertLook.most {
      look.tellClosed(rule, name, status, by: author, at: at, title: try await issues.row(of: name)?.title)
    }
  }
}
