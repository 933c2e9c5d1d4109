import ArgumentParser

/// `automobile crashes`: the last reports, one a line.
struct CrashesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crashes", abstract: "List crash reports, newest first.",
    discussion: "“automobile symbolicate EVENT” shows one in full. With --json, one report per line.")

  @Option(help: "Kinds of reports, separated by commas: crash,hang,failure.")
  var kind = "crash"

  @Option(help: "Maximum number to list.")
  var limit = 50

  @OptionGroup var link: LinkOption
  @OptionGroup var collector: ConnectionOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
    try Suggestion.check("--kind", kind, among: IssuesCommand.kinds)
  }

  func run() async throws {
    let console = Console.standard
    let client = try collector.client()
    let reports = try await client.pages("/api/reports", "reports", [("kind", kind)], limit: limit)
    if collector.json {
      for report in reports {
        console.out((link.isOn ? report.adding(viewerUrl: client.link(report, event: "event")) : report).line)
      }
      return
    }
    guard !reports.isEmpty else { return console.note("No \(Printable.text(kind)) reports.") }
    console.out(
      ReportTable.lines(reports, console), links: link.isOn ? reports.map { client.link($0, event: "event") } : nil)
  }
}
