import AutoMobileCollector

/// Reports one a line: when, what, whose.
enum ReportTable {
  /// - Parameter issue: what they have in common is then left out.
  static func lines(_ reports: [JSON], of issue: JSON? = nil, _ console: Console) -> [String] {
    let now = WallClock.now
    var table = Table(columns: [
      .init(title: "EVENT", paint: { $0.cyan($1) }), .init(title: "WHEN", rank: 1),
      .init(title: "VERSION", minimum: 6, rank: 3), .init(title: "SESSION", rank: 2),
      .init(title: "USER", minimum: 10, rank: 4),
    ])
    if issue == nil {
      table.columns.insert(.init(title: "WHAT", minimum: 20, paint: { $0.red($1) }), at: 1)
      table.columns.insert(.init(title: "ISSUE", rank: 5), at: 2)
    }
    table.rows = reports.map { report in
      let what = [report["title"]?.text, report["subtitle"]?.text].compactMap { $0 }.joined(separator: " · ")
      let own = issue == nil ? [what, String((report["issue"]?.text ?? "").prefix(8))] : []
      let rest = [
        Format.ago(report["timestamp"]?.integer ?? 0, now: now), report["version"]?.text ?? "–",
        CollectorClient.shortName(of: report["sessionId"]?.text ?? ""), report["userId"]?.text ?? "–",
      ]
      return ([report["event"]?.text ?? ""] + own + rest).map(Printable.text)
    }
    return table.lines(width: console.width, style: console.style)
  }
}
