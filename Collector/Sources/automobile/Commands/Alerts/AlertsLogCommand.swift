import ArgumentParser
import AutoMobileCollector

/// `automobile alerts log`: what was told, and what became of it.
struct AlertsLogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show what was sent, what was not, and why.",
    discussion: "The newest first. With --json, one entry per line.")

  @Option(help: "How many.")
  var limit = 20

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard (1...200).contains(limit) else { throw ValidationError("--limit must be from 1 to 200.") }
  }

  func run() async throws {
    let console = Console.standard
    let log = try await options.client().get("/api/alerts/log", [("limit", String(limit))])["log"]?.array ?? []
    if options.collector.json {
      for entry in log { console.out(entry.line) }
      return
    }
    guard !log.isEmpty else { return console.note("Nothing was told yet.") }
    for entry in log { for line in AlertText.lines(entry, console) { console.out(line) } }
  }
}

/// `automobile alerts watch`: alerts in this terminal, as they come.
struct AlertsWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print alerts as they come.",
    discussion: "With --json, one per line. Ctrl-C ends it.")

  @Option(help: "End after this many.")
  var count: Int?

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be at least 1.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    var newest = try await client.get("/api/alerts/log", [("limit", "1")])["newest"]?.text ?? ""
    console.note(console.errorStyle.dim("Waiting for alerts. Ctrl-C to stop."))
    var shown = 0
    var isAway = false
    while true {
      do {
        let answer = try await client.get("/api/alerts/log", [("after", newest), ("limit", "200")])
        isAway = false
        newest = answer["newest"]?.text ?? newest
        for entry in answer["log"]?.array ?? [] {
          guard entry["held"]?.text == nil else { continue }
          if options.collector.json {
            console.out(entry.line)
          } else {
            for line in AlertText.lines(entry.adding("messages", []), console) { console.out(line) }
          }
          shown += 1
          if let count, shown >= count { return }
        }
      } catch let failure as Failure where failure.kind == .unavailable && failure.status == nil {
        // Alerts are kept: those of the meantime are shown when the collector is back.
        if !isAway { console.note(console.errorStyle.dim("No collector at the moment; trying again.")) }
        isAway = true
      }
      try await Task.sleep(for: .seconds(1))
    }
  }
}
