import ArgumentParser

/// `automobile tail`: events as they arrive.
struct TailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail", abstract: "Follow events as they arrive.",
    discussion: "With --json, one event a line. Ctrl-C ends it.")

  @OptionGroup var filter: EventFilter
  @OptionGroup var collector: ConnectionOptions

  @Option(help: "Only this session's.")
  var session: String?

  @Option(help: "End after this many events.")
  var count: Int?

  func validate() throws {
    guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be at least 1.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try collector.client()
    var shown = 0
    var hasListened = false
    try await client.tail([("session", session)] + filter.query) { message in
      switch message {
      case .listening:
        if !hasListened { console.note(console.errorStyle.dim("Waiting for events. Ctrl-C ends.")) }
        hasListened = true
        return true
      case .event(let event):
        console.out(collector.json ? event.line : line(event, console))
        shown += 1
        return count.map { shown < $0 } ?? true
      }
    }
  }

  private func line(_ event: JSON, _ console: Console) -> String {
    let time = Format.time(event["timestamp"]?.integer ?? 0, date: false)
    let who = event["context"]?["userId"]?.text ?? event["sessionId"]?.text.prefix(8).description ?? "–"
    let name = DisplayWidth.truncated(Printable.text(who), to: 16)
    let padding = String(repeating: " ", count: max(0, 16 - DisplayWidth.of(name)))
    return EventLine(event).rendered(lead: "\(time)  \(name)\(padding)", console)
  }
}
