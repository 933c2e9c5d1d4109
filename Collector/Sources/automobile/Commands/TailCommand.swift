import ArgumentParser
import AutoMobileCollector

/// `automobile tail`: events as they arrive.
struct TailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail", abstract: "Follow events as they arrive.",
    discussion: """
      automobile tail -f --errors
      automobile tail --app com.example.shop --type log,network_request --grep checkout

      It follows with or without -f, and resumes where it was when the connection drops. With --json, one event per line. \
      Ctrl-C ends it.
      """)

  @Flag(name: [.short, .long], help: "Follow (default).")
  var follow = false

  @OptionGroup var filter: EventFilter
  @OptionGroup var link: LinkOption
  @OptionGroup var collector: ConnectionOptions

  @Option(help: "Only this session's.")
  var session: String?

  @Option(help: "Only this app's, by its bundle id.")
  var app: String?

  @Option(help: "Only this user's.")
  var user: String?

  @Flag(help: "Only errors: crashes, hangs, exceptions, errors in logs, failed requests.")
  var errors = false

  @Option(help: "End after this many events.")
  var count: Int?

  func validate() throws {
    guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be at least 1.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try collector.client()
    filter.doubt(console)
    if let doubt = await client.doubt(app: app) { console.note(doubt) }
    let marks = SearchMarks.of(filter.text, in: "events")
    var shown = 0
    var hasListened = false
    try await client.tail([("session", session)] + filter.query) { message in
      switch message {
      case .listening:
        if !hasListened { console.note(console.errorStyle.dim("Waiting for events. Ctrl-C to stop.")) }
        hasListened = true
        return true
      case .event(let event):
        guard isWanted(event) else { return true }
        let address = link.isOn ? client.link(event) : nil
        let json = link.isOn ? event.adding(viewerUrl: address) : event
        if collector.json {
          console.out(json.line)
        } else {
          let text = line(event, console)
          console.out(console.linked(console.style.marked(text, marks), address))
          if let match = MatchLine.text(event, notIn: text, marks, console) { console.out(match) }
        }
        shown += 1
        return count.map { shown < $0 } ?? true
      }
    }
  }

  private func isWanted(_ event: JSON) -> Bool {
    let context = event["context"]
    if let app, context?["bundleId"]?.text != app { return false }
    if let user, context?["userId"]?.text != user { return false }
    return !errors || EventLine.isError(event)
  }

  private func line(_ event: JSON, _ console: Console) -> String {
    let time = Format.time(event["timestamp"]?.integer ?? 0, date: false)
    let who = event["context"]?["userId"]?.text ?? event["sessionId"]?.text.prefix(8).description ?? "–"
    let name = DisplayWidth.truncated(Printable.text(who), to: 16)
    let padding = String(repeating: " ", count: max(0, 16 - DisplayWidth.of(name)))
    return EventLine(event).rendered(lead: "\(time)  \(name)\(padding)", number: event["id"]?.text, console)
  }
}
