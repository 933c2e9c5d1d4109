import ArgumentParser
import AutoMobileCollector

/// `automobile show SESSION`: a session's events in order.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one session's events in order.",
    discussion: """
      automobile show
      automobile show 4f1c --errors --link

      Each line has the event's number, which “network” and “symbolicate” take. With --json, one event per line, as the \
      collector holds it.
      """)

  @Argument(help: "A session's id, the beginning of it, or “latest”.")
  var session = "latest"

  @Flag(help: "Only errors: crashes, hangs, exceptions, errors in logs, failed requests.")
  var errors = false

  @OptionGroup var filter: EventFilter
  @OptionGroup var link: LinkOption
  @OptionGroup var collector: ConnectionOptions

  func run() async throws {
    let console = Console.standard
    let client = try collector.client()
    let session = try await client.session(named: session)
    let id = session["sessionId"]?.text ?? ""
    let start = session["first"]?.integer ?? 0
    filter.doubt(console)
    if !collector.json { header(session, console) }

    let marks = SearchMarks.of(filter.text, in: "events")
    // Only where the lines themselves do not show how it goes.
    let bar = console.isTerminal ? nil : ProgressBar(console, total: session["events"]?.int ?? 0, unit: "events")
    var cursor: String?
    var shown = 0
    var read = 0
    var launch: String?
    var screen: String?
    repeat {
      let page = try await client.get(
        "/api/sessions/\(CollectorClient.segment(id))/events", [("after", cursor), ("limit", "500")] + filter.query)
      var lines: [String] = []
      for event in page["events"]?.array ?? [] {
        read += 1
        if event["eventType"]?.text == "navigation" { screen = event["payload"]?["destination"]?.text }
        if errors, !EventLine.isError(event) { continue }
        let address = link.isOn ? client.link(event) : nil
        if collector.json {
          lines.append((link.isOn ? event.adding(viewerUrl: address) : event).line)
        } else {
          let own = event["launchId"]?.string
          if let launch, launch != own { lines.append(console.style.dim("  ── another launch ──")) }
          launch = own
          let lead = Format.offset(milliseconds: (event["timestamp"]?.integer ?? start).subtractingClamped(start))
          let line = EventLine(event, on: screen).rendered(
            lead: String(repeating: " ", count: max(0, 10 - lead.count)) + lead, number: event["id"]?.text, console)
          lines.append(console.linked(console.style.marked(line, marks), address))
          if let match = MatchLine.text(event, notIn: line, marks, console) { lines.append(match) }
        }
        shown += 1
      }
      if !lines.isEmpty { console.out(lines.joined(separator: "\n")) }
      bar?.update(read)
      cursor = page["next"]?.string
    } while cursor != nil
    bar?.finish()
    guard !collector.json else { return }
    if shown == 0, OnDevice(session).mark == nil || !filter.isEmpty || errors {
      console.note(errors && filter.isEmpty ? "No errors in this session." : "No event matches.")
    }
    footer(session, console)
  }

  private func header(_ session: JSON, _ console: Console) {
    let style = console.style
    let user = session["userId"]?.text ?? "Anonymous"
    let app = [session["bundleId"]?.text, session["appVersion"]?.text].compactMap { $0 }.joined(separator: " ")
    let device = [
      session["device"]?["model"]?.text, session["device"]?["systemName"]?.text, session["device"]?["osVersion"]?.text,
    ]
    .compactMap { $0 }.joined(separator: " ")
    console.out(
      style.bold(Printable.text(user)) + "  "
        + Printable.text([app, device].filter { !$0.isEmpty }.joined(separator: " · ")))
    let first = session["first"]?.integer ?? 0
    let last = session["last"]?.integer ?? 0
    let facts = [
      Format.time(first, fraction: false), Format.duration(milliseconds: Double(last) - Double(first)),
      Format.plural(session["events"]?.int ?? 0, "event"), Format.plural(session["errors"]?.int ?? 0, "error"),
      session["live"]?.bool == true ? "live" : nil,
    ]
    console.out(style.dim(facts.compactMap { $0 }.joined(separator: " · ")))
    let told = OnDevice(session)
    for line in [told.sentence, told.memory].compactMap(\.self) { console.out(style.dim(Printable.text(line))) }
    if let imported = session["imported"] {
      let origin = [
        imported["exportedAt"]?.integer.map { "saved \(Format.time($0, fraction: false))" },
        imported["collector"]?.string.map { "by collector \($0)" },
      ].compactMap { $0 }.joined(separator: " ")
      let words = "opened from a file \(Format.time(imported["at"]?.integer ?? 0, fraction: false))"
      console.out(style.dim(Printable.text([words, origin].filter { !$0.isEmpty }.joined(separator: ", "))))
    }
    console.out()
  }

  private func footer(_ session: JSON, _ console: Console) {
    for ledger in session["launchLedgers"]?.array ?? [] {
      guard let recorded = ledger["recorded"]?.int else { continue }
      let aged = ledger["agedOut"]?.int ?? 0
      var dropped = (ledger["dropped"]?.object ?? [:]).filter { ($0.value.int ?? 0) > 0 }
      // What its app's rules let go on the device is no loss.
      if aged > 0 { dropped["expired"] = dropped["expired"]?.int.flatMap { $0 > aged ? JSON($0 - aged) : nil } }
      let reasons = dropped.sorted { $0.key < $1.key }.map { " (\($0.key) \($0.value.int ?? 0))" }.joined()
      let lost = ledger["lost"]?.int
      let kept = ledger["kept"]?.int ?? 0
      let parts = [
        "\(Format.count(recorded)) recorded", "\(Format.count(ledger["stored"]?.int ?? 0)) stored",
        "\(Format.count(dropped.values.reduce(0) { $0 + ($1.int ?? 0) })) dropped\(reasons)",
        kept > 0 ? "\(Format.count(kept)) on the device" : nil,
        aged > 0 ? "\(Format.count(aged)) aged out there" : nil,
        lost.map { "\(Format.count($0)) lost" } ?? "open",
      ].compactMap(\.self)
      let line = "launch \((ledger["launchId"]?.text ?? "").prefix(8)): " + parts.joined(separator: " · ")
      console.out(
        "\n" + ((lost ?? 0) > 0 ? console.style.red(Printable.text(line)) : console.style.dim(Printable.text(line))))
      if let end = LaunchEndText.line(ledger["end"]) {
        console.out(console.style.dim(Printable.text("  ended: " + end)))
      }
    }
  }
}

extension Int64 {
  /// The difference; the nearest number that there is where it would overflow.
  func subtractingClamped(_ other: Int64) -> Int64 {
    let result = subtractingReportingOverflow(other)
    return result.overflow ? (self < other ? .min : .max) : result.partialValue
  }
}
