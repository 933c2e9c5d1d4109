/// Issues: crashes, hangs and failures, each problem once.
extension Tool {
  static let listIssues = Tool(
    "list_issues", title: "Issues",
    summary: """
      Crashes, hangs and failures grouped by cause, the latest first: how often, in how many sessions, which versions. Then \
      get_issue for the stack with source lines.
      """,
    arguments: [
      .app, ToolArgument("kind", .choice(["crash", "hang", "failure"]), "Only of this kind"),
      ToolArgument("version", .text(100), "Only with reports of this app version"),
      ToolArgument(
        "status", .choice(["open", "regressed", "resolved", "ignored", "all"]), "What was decided; open without it"),
      ToolArgument("sort", .choice(IssueQuery.Order.allCases.map(\.rawValue)), "Which first; last (seen) without it"),
      .query("function:Cart.total, type:SIGSEGV, user:mira, reports:>10"), .limit(25), .cursor,
    ]
  ) { call in
    let arguments = call.arguments
    let limit = arguments.limit(25)
    let page = try await call.api.get(
      ["api", "issues"],
      [
        ("app", arguments["app"]), ("kind", arguments["kind"]), ("version", arguments["version"]),
        ("status", arguments["status"] ?? "open"), ("sort", arguments["sort"]), ("q", arguments["query"]),
        ("limit", String(limit)), ("before", arguments["cursor"]),
      ])
    let issues = page["issues"]?.elements ?? []
    var answer = ToolAnswer(
      "\(issues.count, "issue"). Columns: issue, kind, what, place, reports, sessions, seen, versions.")
    for issue in issues { answer.add(line(issue), most: ToolAnswer.width(rows: limit)) }
    answer.add(next: page["next"]?.string)
    return answer
  }

  static let getIssue = Tool(
    "get_issue", title: "One issue with its report",
    summary: """
      One issue: what it is, since when, whom it hits, its newest reports, and one report with functions, lines of source \
      around each frame, and what happened before. Long ones in pages.
      """,
    arguments: [
      ToolArgument("issue", .text(64), "Id of the issue, as list_issues has it", isRequired: true),
      ToolArgument("report", .number(0...Int64.max), "Event of another report than the newest: #123 is 123"), .cursor,
    ]
  ) { call in
    try await issueAnswer(
      call.arguments.text("issue"), report: call.arguments["report"], cursor: call.arguments["cursor"], call.api)
  }

  static func issueAnswer(
    _ id: String, report: String?, cursor: String?, _ api: AskedAPI
  ) async throws -> ToolAnswer {
    let issue = try await api.get(["api", "issues", id])
    let reports = issue["reports"]?.elements ?? []
    let known = reports.compactMap { $0["event"]?.words }
    if let report, !known.contains(report) {
      throw ToolError("this issue has no such report among its newest: leave report out, or take one that it lists")
    }
    var lines = [line(issue), api.link(issue: id).map { "link: \($0)" } ?? ""]
    lines.append("message: \(issue["message"]?.words ?? "–")")
    if let link = issue["link"]?.words { lines.append("ticket: \(link)") }
    let history = issue["history"]?.elements ?? []
    if !history.isEmpty {
      lines.append("history: " + history.prefix(10).map { EventWords.pairs($0) }.joined(separator: "; "))
    }
    for row in reports.prefix(10) {
      lines.append(
        "report #\(row["event"]?.words ?? "") \(MomentText.text(row["timestamp"]?.integer ?? 0)) "
          + "session \(row["sessionId"]?.words ?? "") user \(row["userId"]?.words ?? "–") version \(row["version"]?.words ?? "–") "
          + "screen \(row["screen"]?.words ?? "–") \(SessionWords.device(row["device"]) ?? "")")
    }
    if let event = report ?? issue["sample"]?.words {
      lines.append("")
      lines += ReportWords.lines(try await api.get(["api", "events", event, "report"]))
    }
    var answer = ToolAnswer("One issue, and the report of one of its events. Frames of the app are marked with *.")
    try answer.add(page: lines.filter { !$0.isEmpty }.flatMap { RecordedText.lines($0, width: 1000) }, from: cursor)
    return answer
  }

  static func line(_ issue: JSONTree) -> String {
    let versions = (issue["versions"]?.members ?? [:]).sorted { $0.key < $1.key }.prefix(8)
      .map { "\($0.key) (\($0.value.words ?? ""))" }
    let place = [issue["file"]?.words, issue["line"]?.words].compactMap { $0 }.joined(separator: ":")
    let parts: [String?] = [
      issue["id"]?.words, issue["kind"]?.words, issue["title"]?.words, issue["subtitle"]?.words, place,
      "\(issue["count"]?.integer ?? 0) reports", "\(issue["sessions"]?.integer ?? 0) sessions",
      issue["status"]?.words, issue["regressedIn"]?.words.map { "regressed in \($0)" },
      issue["first"]?.integer.map { "first \(MomentText.text($0))" },
      issue["last"]?.integer.map { "last \(MomentText.text($0))" },
      versions.isEmpty ? nil : "versions " + versions.joined(separator: ", "),
      issue["assignee"]?.words.map { "assigned to \($0)" },
    ]
    return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

/// A report in lines: the cause, the stack at fault with its source, and what happened before.
enum ReportWords {
  private static let frames = 40

  static func lines(_ answer: JSONTree) -> [String] {
    let report = answer["report"] ?? .null
    var lines = [
      "REPORT of event #\(answer["event"]?.words ?? "") in session \(answer["sessionId"]?.words ?? "")",
      "cause: \(answer["cause"]?.words ?? "–") · message: \(answer["message"]?.words ?? "–") · screen: \(answer["screen"]?.words ?? "–")",
    ]
    if let signal = report["signal"] { lines.append("signal: \(EventWords.pairs(signal))") }
    if let exception = report["exception"] { lines.append("exception: \(EventWords.pairs(exception))") }
    let threads = report["threads"]?.elements ?? []
    let thread =
      threads.first { $0["crashed"]?.bool == true } ?? threads.first { $0["main"]?.bool == true } ?? threads.first
    if let thread {
      lines.append("thread \(thread["name"]?.words ?? thread["id"]?.words ?? ""), of \(threads.count):")
      for (index, frame) in (thread["frames"]?.elements ?? []).prefix(frames).enumerated() {
        lines += stack(frame, index)
      }
    }
    for sample in (report["samples"]?.elements ?? []).prefix(3) {
      lines.append("sample at \(sample["atMs"]?.words ?? "?") ms, seen \(sample["count"]?.words ?? "?") times:")
      for (index, frame) in (sample["frames"]?.elements ?? []).prefix(12).enumerated() { lines += stack(frame, index) }
    }
    let missing = answer["symbols"]?["missing"]?.elements ?? []
    if !missing.isEmpty {
      lines.append(
        "no lines for: " + missing.compactMap { $0["name"]?.words }.joined(separator: ", ")
          + " (automobile symbols add PATH)")
    }
    let before = answer["before"]?.elements ?? []
    if !before.isEmpty { lines.append("BEFORE it:") }
    for event in before {
      lines.append(
        "\(MomentText.text(event["timestamp"]?.integer ?? 0)) #\(event["id"]?.words ?? "") \(EventWords.line(event))")
    }
    return lines
  }

  private static func stack(_ frame: JSONTree, _ index: Int) -> [String] {
    let isOwn = frame["inApp"]?.bool == true
    let place = [frame["file"]?.words, frame["line"]?.words].compactMap { $0 }.joined(separator: ":")
    let name = frame["function"]?.words ?? frame["symbol"]?.words ?? frame["address"]?.words ?? "?"
    var lines = ["\(isOwn ? "*" : " ") \(index) \(name)\(place.isEmpty ? "" : " at \(place)")"]
    guard isOwn, let source = frame["source"], let first = source["first"]?.integer else { return lines }
    let texts = (source["lines"]?.elements ?? []).compactMap(\.string)
    for (offset, text) in texts.prefix(15).enumerated() {
      let number = first &+ Int64(offset)
      lines.append("    \(number == frame["line"]?.integer ? ">" : " ") \(number) \(text)")
    }
    return lines
  }
}
