import ArgumentParser
import AutoMobileCollector

/// `automobile sessions`: the newest sessions, one a line.
struct SessionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "List sessions, newest first.",
    discussion: """
      automobile sessions user:mira payment
      automobile sessions app:coffee version:2.4 has:crash
      automobile sessions -- -has:crash "duration:>1m"

      Words match anywhere; Documentation/Search.md has the fields. With --json, one session per line.
      """)

  @OptionGroup var link: LinkOption
  @OptionGroup var collector: ConnectionOptions

  @Argument(help: "Only sessions that match: words, or fields like user:mira has:crash.")
  var search: [String] = []

  @Option(help: "Maximum number to list.")
  var limit = 50

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try collector.client()
    let search = SearchText.joined(search)
    let sessions = try await client.sessions(search: search, limit: limit)
    let links =
      link.isOn
      ? sessions.map {
        client.link(session: $0["sessionId"]?.text ?? "", event: $0["match"]?["event"]?.text)
      } : nil
    let marks = SearchMarks.of(search, in: "sessions")
    if collector.json {
      for (index, session) in sessions.enumerated() {
        console.out((links.map { session.adding(viewerUrl: $0[index]) } ?? session).line)
      }
      return
    }
    guard !sessions.isEmpty else {
      console.note(
        search == nil ? "No sessions yet. No data? Run diagnostics: automobile doctor" : "No session matches.")
      return
    }
    let now = WallClock.now
    var table = Table(columns: [
      .init(title: "SESSION", paint: { $0.cyan($1) }),
      .init(title: "USER", minimum: 18),
      .init(title: "APP", minimum: 12),
      .init(title: "DEVICE", minimum: 6, rank: 3),
      .init(title: "LAST EVENT", rank: 1, paint: { $1.hasPrefix("live") ? $0.green($1) : $1 }),
      .init(title: "LENGTH", alignsRight: true, rank: 4),
      .init(title: "EVENTS", alignsRight: true),
      .init(
        title: "ERRORS", alignsRight: true,
        paint: { $1.contains { "123456789".contains($0) } ? $0.red($1) : $0.dim($1) }),
      .init(title: "LAST SCREEN", minimum: 8, rank: 2),
      .init(title: "END", minimum: 5, rank: 5),
    ])
    var more: [(JSON) -> String] = []
    if sessions.contains(where: { $0["imported"] != nil }) {
      table.columns.append(.init(title: "FROM", minimum: 4, rank: 1))
      more.append { $0["imported"] == nil ? "–" : "file" }
    }
    if sessions.contains(where: { OnDevice($0).mark != nil }) {
      table.columns.append(.init(title: "THE REST", minimum: 10, rank: 1))
      more.append { OnDevice($0).mark ?? "–" }
    }
    table.rows = sessions.map { session in
      let first = session["first"]?.integer ?? 0
      let last = session["last"]?.integer ?? 0
      let app = session["bundleId"]?.text.split(separator: ".").last.map(String.init)
      return [
        CollectorClient.shortName(of: session["sessionId"]?.text ?? ""),
        session["userId"]?.text ?? "–",
        [app, session["appVersion"]?.text].compactMap { $0 }.joined(separator: " "),
        session["device"]?["model"]?.text ?? "–",
        session["live"]?.bool == true ? "live" : Format.ago(last, now: now),
        Format.duration(milliseconds: Double(last) - Double(first)),
        OnDevice.events(of: session),
        Format.count(OnDevice(session).errors),
        session["lastScreen"]?.text ?? "–",
        LaunchEndText.verdict(session["lastEnd"]?.text) ?? "–",
      ].map(Printable.text) + more.map { Printable.text($0(session)) }
    }
    let lines = table.lines(width: console.width, style: console.style).map { console.style.marked($0, marks) }
    console.out(
      lines, matches: sessions.map { MatchLine.text($0, from: $0["first"]?.integer ?? 0, marks, console) }, links: links
    )
  }
}
