import ArgumentParser

/// `automobile crashes`: the last reports, one a line.
struct CrashesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crashes", abstract: "List crash reports, newest first.",
    discussion: "“automobile symbolicate EVENT” shows one whole. With --json, one report a line.")

  @Option(help: "Other kinds of reports, separated by commas: crash,hang,failure.")
  var kind = "crash"

  @Option(help: "The most to list.")
  var limit = 50

  @OptionGroup var collector: ConnectionOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
  }

  func run() async throws {
    let console = Console.standard
    let reports = try await collector.client().pages("/api/reports", "reports", [("kind", kind)], limit: limit)
    if collector.json {
      for report in reports { console.out(report.line) }
      return
    }
    guard !reports.isEmpty else { return console.note("No \(Printable.text(kind)) reports.") }
    for line in ReportTable.lines(reports, console) { console.out(line) }
  }
}
