import ArgumentParser
import AutoMobileCollector

/// `automobile issues [ID]`: what goes wrong, and how often.
struct IssuesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "issues", abstract: "List issues: crashes, hangs and failures, grouped by cause.",
    discussion: """
      automobile issues --status regressed --sort sessions
      automobile issues 4f1c
      automobile issues 4f1c --resolve --after 2.1
      automobile issues 4f1c --assign lea --comment "Fixed on the branch payment"

      With an issue's id: its figures and its last reports; --resolve, --ignore and --reopen set its status. A resolved \
      issue reopens by itself, marked as regressed, when it happens again. With --json, one issue per line.
      """)

  @Argument(help: "An issue's id, or the beginning of it.")
  var issue: String?

  @Option(help: "Only these kinds, separated by commas: crash,hang,failure.")
  var kind: String?

  @Option(
    name: [.customLong("search"), .customLong("grep")],
    help: "Only issues that match: words of title, message, functions or users, or fields like “kind:crash”.")
  var text: String?

  @Option(help: "Only issues in this version of the app.")
  var appVersion: String?

  @Option(help: "Only issues of this app, by its bundle id.")
  var app: String?

  @Option(help: "open, regressed, resolved, ignored or all. A search with “status:” decides by itself.")
  var status = "open"

  @Option(help: "Sort by last, first, count or sessions.")
  var sort = "last"

  @Option(help: "Maximum number to list.")
  var limit = 50

  @Flag(help: "Mark the issue as resolved.")
  var resolve = false

  @Option(name: .customLong("in"), help: "With --resolve: in this version and later ones.")
  var resolvedIn: String?

  @Option(name: .customLong("after"), help: "With --resolve: in the versions after this one.")
  var resolvedAfter: String?

  @Flag(help: "Ignore the issue.")
  var ignore = false

  @Flag(help: "Reopen the issue.")
  var reopen = false

  @Option(help: "Only issues assigned to this person.")
  var assignee: String?

  @OptionGroup var changes: IssueChanges

  @OptionGroup var link: LinkOption
  @OptionGroup var collector: ConnectionOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
    try Suggestion.check("--kind", kind, among: Self.kinds)
    try Suggestion.check("--status", status, among: Self.statuses)
    try Suggestion.check("--sort", sort, among: Self.orders)
    let decisions = [resolve, ignore, reopen].count { $0 }
    guard decisions <= 1, decisions == 0 || issue != nil else {
      throw ValidationError("--resolve, --ignore and --reopen need one issue: automobile issues ID --resolve")
    }
    guard changes.isEmpty || issue != nil else {
      throw ValidationError("Changes need one issue: automobile issues ID --assign lea")
    }
    guard resolve || (resolvedIn == nil && resolvedAfter == nil), resolvedIn == nil || resolvedAfter == nil else {
      throw ValidationError("One of --in and --after goes with --resolve.")
    }
  }

  static let kinds = ["crash", "hang", "failure"]
  private static let statuses = ["open", "regressed", "resolved", "ignored", "all"]
  private static let orders = ["last", "first", "count", "sessions"]

  /// What is to become of the issue; nil when it is only shown.
  private var decision: JSON? {
    if ignore { return ["status": "ignored"] }
    if reopen { return ["status": "open"] }
    guard resolve else { return nil }
    var body: [String: JSON] = ["status": "resolved"]
    body["version"] = resolvedIn.map { .string($0) }
    body["after"] = resolvedAfter.map { .string($0) }
    return .object(body)
  }

  func run() async throws {
    let console = Console.standard
    // Deciding asks for an operator's key where there is one.
    let client = try collector.client(
      keyVariables: decision == nil && changes.isEmpty ? [] : [CollectorClient.operatorKeyVariable])
    if let issue { return try await show(issue, client, console) }
    let issues = try await client.pages(
      "/api/issues", "issues",
      [
        ("kind", kind), ("q", text), ("version", appVersion), ("app", app), ("status", status), ("sort", sort),
        ("assignee", assignee),
      ], limit: limit)
    let links = link.isOn ? issues.map { client.link(issue: $0["id"]?.text ?? "") } : nil
    if collector.json {
      for (index, issue) in issues.enumerated() {
        console.out((links.map { issue.adding(viewerUrl: $0[index]) } ?? issue).line)
      }
      return
    }
    guard !issues.isEmpty else {
      let isFiltered = [kind, text, appVersion, app, assignee].contains { $0 != nil } || status != "open"
      console.note(isFiltered ? "No issue matches." : "No open issues. To list resolved ones too: --status all")
      if let doubt = await client.doubt(app: app, version: appVersion) { console.note(doubt) }
      return
    }
    let now = WallClock.now
    var table = Table(columns: [
      .init(title: "ISSUE", paint: { $0.cyan($1) }), .init(title: "KIND", rank: 2, paint: Self.paint),
      .init(title: "WHAT", minimum: 20), .init(title: "REPORTS", alignsRight: true),
      .init(title: "SESSIONS", alignsRight: true, rank: 4), .init(title: "14 DAYS", rank: 3),
      .init(title: "VERSIONS", minimum: 6, rank: 5), .init(title: "LAST", rank: 1),
    ])
    table.rows = issues.map { issue in
      [
        String((issue["id"]?.text ?? "").prefix(8)), issue["kind"]?.text ?? "",
        [Self.mark(issue), issue["title"]?.text, issue["subtitle"]?.text].compactMap { $0 }.joined(separator: " · "),
        Format.count(issue["count"]?.int ?? 0), Format.count(issue["sessions"]?.int ?? 0),
        Sparkline.text(issue["trend"]?.array?.map { $0.int ?? 0 } ?? []),
        (issue["versions"]?.object ?? [:]).keys.sorted().reversed().joined(separator: " "),
        Format.ago(issue["last"]?.integer ?? 0, now: now),
      ].map(Printable.text)
    }
    let marks = SearchMarks.of(text, in: "issues")
    let lines = table.lines(width: console.width, style: console.style).map { console.style.marked($0, marks) }
    console.out(lines, matches: issues.map { MatchLine.text($0, now: now, marks, console) }, links: links)
  }

  private func show(_ name: String, _ client: CollectorClient, _ console: Console) async throws {
    var issue = try await client.issue(named: name)
    // What is answered of a change that is kept, when the issue cannot be read at that moment.
    var unread: JSON?
    if let decision {
      let changed = try await client.send(
        .PUT, "/api/issues/\(CollectorClient.segment(issue["id"]?.text ?? name))/status", decision)
      if changed["title"] != nil { issue = changed } else { unread = changed }
    }
    if let changed = try await changes.send(issue, client) {
      if changed["title"] != nil { (issue, unread) = (changed, nil) } else { unread = changed }
    }
    if let unread {
      // As it was before would be taken for as it is now.
      if collector.json { console.out(unread.line) }
      return console.note(
        "It is changed. The collector cannot show it now; later: automobile issues \(Printable.text(issue["id"]?.text ?? name))"
      )
    }
    let address = link.isOn ? client.link(issue: issue["id"]?.text ?? name) : nil
    if collector.json { return console.out((address.map { issue.adding(viewerUrl: $0) } ?? issue).line) }
    let style = console.style
    console.out(style.bold(Printable.text(issue["title"]?.text ?? "")))
    if let subtitle = issue["subtitle"]?.text { console.out(Printable.text(subtitle)) }
    if let message = issue["message"]?.text, ![issue["title"]?.text, issue["subtitle"]?.text].contains(message) {
      console.out(Printable.text(message))
    }
    if let file = issue["file"]?.text {
      console.out(style.cyan(Printable.text(file + (issue["line"]?.int.map { ":\($0)" } ?? ""))))
    }
    let versions = (issue["versions"]?.object ?? [:]).sorted { $0.key > $1.key }.map { "\($0.key) (\($0.value.text))" }
    let facts = [
      Self.mark(issue), Format.plural(issue["count"]?.int ?? 0, "report"),
      Format.plural(issue["sessions"]?.int ?? 0, "session"),
      issue["users"]?.int.flatMap { $0 > 0 ? Format.plural($0, "user") : nil },
      "first " + Format.time(issue["first"]?.integer ?? 0, fraction: false),
      "last " + Format.time(issue["last"]?.integer ?? 0, fraction: false),
      versions.isEmpty ? nil : "versions " + versions.joined(separator: ", "),
    ]
    console.out(style.dim(Printable.text(facts.compactMap { $0 }.joined(separator: " · "))))
    if let address { console.out(style.dim(Printable.text(address))) }
    for line in IssueHistoryText.lines(issue, style, now: WallClock.now) { console.out(line) }
    console.out()
    let reports = issue["reports"]?.array ?? []
    let links = link.isOn ? reports.map { client.link($0, event: "event") } : nil
    console.out(ReportTable.lines(reports, of: issue, console), links: links)
    if let event = reports.first?["event"]?.text {
      console.note("Stack and breadcrumbs: automobile symbolicate \(Printable.text(event))")
    }
  }

  /// What people decided; nil for what is simply open.
  private static func mark(_ issue: JSON) -> String? {
    if issue["regressedAt"] != nil { return "regressed" }
    guard let status = issue["status"]?.text, status != "open" else { return nil }
    let fix = issue["resolvedIn"].map { " in \($0.text)" } ?? issue["resolvedAfter"].map { " after \($0.text)" }
    return status + (fix ?? "")
  }

  @Sendable private static func paint(_ style: Style, _ text: String) -> String {
    text.hasPrefix("crash") ? style.red(text) : text.hasPrefix("hang") ? style.yellow(text) : text
  }
}

extension CollectorClient {
  /// The issue of a name, or of an unambiguous beginning of one.
  func issue(named name: String) async throws -> JSON {
    let wanted = name.lowercased()
    let answer = try await raw("/api/issues/" + Self.segment(wanted))
    if answer.status == 200 { return try await get("/api/issues/" + Self.segment(wanted)) }
    guard answer.status == 404 else { throw refusal(status: answer.status, body: answer.body) }
    let found = try await pages("/api/issues", "issues", [], limit: 2000).compactMap { $0["id"]?.string }
      .filter { $0.hasPrefix(wanted) }
    guard let first = found.first else {
      throw Failure(
        message: "No issue “\(Printable.text(name))”.", advice: "List them with: automobile issues")
    }
    guard found.count == 1 else {
      throw Failure(message: "“\(Printable.text(name))” could be \(found.count) issues.", advice: "Type more of it.")
    }
    return try await get("/api/issues/" + first)
  }

  /// As many pages of a list as it takes.
  func pages(_ path: String, _ member: String, _ query: [(String, String?)], limit: Int) async throws -> [JSON] {
    var all: [JSON] = []
    var cursor: String?
    repeat {
      let page = try await get(path, query + [("limit", String(min(200, limit - all.count))), ("before", cursor)])
      all += page[member]?.array ?? []
      cursor = page["next"]?.string
    } while cursor != nil && all.count < limit
    return all
  }
}
