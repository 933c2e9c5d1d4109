/// What is told of issues.
extension AlertLook {
  mutating func tellNew(_ issue: IssueRow, reports: Int64, first: Int64, version: String?) {
    let count = reports == 1 ? "One report" : "\(reports) reports"
    findings.append(
      .moment(
        Alert(
          kind: .newIssue, subject: issue.name, severity: Alert.severity(of: issue.kind),
          title: "New \(issue.kind): \(Alert.short(issue.title))",
          text: "\(count) so far; it happened first at \(Alert.time(first)).",
          facts: Alert.facts(of: issue, version: version), place: Alert.place(ofIssue: issue.name), at: first)))
  }

  /// What was told of and has been resolved or ignored by somebody since: it is over for whoever was told.
  mutating func tellClosed(
    _ rule: AlertRule, _ name: String, _ status: String, by author: String, at time: Int64, title: String?
  ) {
    findings.append(
      .calm(
        Alert(
          kind: rule.kind, subject: name, severity: .info,
          title: "\(status.prefix(1).uppercased() + status.dropFirst()): \(Alert.short(title ?? name))",
          text: "\(Alert.short(author, 80)) set it to \(status).", place: Alert.place(ofIssue: name), at: time)))
  }

  /// A resolved issue came back.
  mutating func tellRegression(_ rule: AlertRule, _ change: Regressions.Change, of issue: IssueRow) {
    let settings = rule.settings
    guard settings.bundleId == nil || issue.bundleId == settings.bundleId,
      settings.version == nil || change.version == settings.version, settings.issueKinds?.contains(issue.kind) ?? true
    else { return }
    findings.append(
      .moment(
        Alert(
          kind: .regression, subject: change.name, severity: Alert.severity(of: issue.kind),
          title: "Back again: \(Alert.short(issue.title))",
          text: "This \(issue.kind) was resolved, and happened again at \(Alert.time(change.at))"
            + (change.version.map { " in version \(Alert.short($0, 60))" } ?? "") + ".",
          facts: Alert.facts(of: issue, version: change.version), place: Alert.place(ofIssue: change.name),
          at: change.at)))
  }

  mutating func tellBurst(_ rule: AlertRule, _ issue: IssueRow, _ burst: Burst) {
    let most = Int64(rule.settings.threshold ?? 0)
    let time = AlertRule.duration(rule.settings.minutes ?? 60)
    var facts = Alert.facts(of: issue, version: rule.settings.version)
    facts.append(Alert.Fact("Reports", "\(burst.count) within \(time)"))
    findings.append(
      .firing(
        Alert(
          kind: .issueRate, subject: issue.name, severity: Alert.severity(of: issue.kind),
          title: "\(burst.count) reports within \(time): \(Alert.short(issue.title))",
          text: "More than \(most) within \(time), up to \(Alert.time(burst.at)).", facts: facts,
          place: Alert.place(ofIssue: issue.name), at: burst.at)))
  }

  mutating func tellCalm(_ rule: AlertRule, _ name: String, _ count: Int64, title: String?, at now: Int64) {
    findings.append(
      .calm(
        Alert(
          kind: .issueRate, subject: name, severity: .info, title: "Calm again: \(Alert.short(title ?? name))",
          text: "\(count) reports within \(AlertRule.last(rule.settings.minutes ?? 60)).",
          place: Alert.place(ofIssue: name), at: now)))
  }

  /// The fullest of some times of one length.
  struct Burst {
    var count: Int64
    var at: Int64

    /// - Parameter times: of reports, ascending.
    /// - Returns: nil when none has more than so many.
    init?(of times: [Int64], above most: Int64, within length: Int64) {
      var fullest: (count: Int64, at: Int64)?
      var start = 0
      for end in times.indices {
        while times[start] <= times[end] - length { start += 1 }
        let count = Int64(end - start + 1)
        if count > most, count > fullest?.count ?? 0 { fullest = (count, times[end]) }
      }
      guard let fullest else { return nil }
      (count, at) = fullest
    }
  }
}

extension AlertRule.Settings {
  /// Whether an issue is one that is looked for.
  func admits(_ issue: IssueRow) -> Bool {
    (bundleId == nil || issue.bundleId == bundleId) && issueKinds?.contains(issue.kind) ?? true
  }
}

extension Alert {
  /// What is told of an issue in every alert about one.
  static func facts(of issue: IssueRow, version: String?) -> [Fact] {
    var facts = [Fact("Issue", short(issue.title))]
    if let subtitle = issue.subtitle, !subtitle.isEmpty { facts.append(Fact("Where", short(subtitle))) }
    if let app = issue.bundleId { facts.append(Fact("App", short(app, 100))) }
    if let version { facts.append(Fact("Version", short(version, 60))) }
    return facts
  }

  static func place(ofIssue name: String) -> String { "#/issues/" + name.percentEncoded }

  static func severity(of kind: String) -> Severity { kind == "crash" ? .critical : kind == "hang" ? .error : .warning }
}
