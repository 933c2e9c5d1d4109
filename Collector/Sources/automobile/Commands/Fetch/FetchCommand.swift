import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile fetch`: asks for what devices keep, and shows what became of it.
struct FetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Ask for what is kept on devices: a session, or all of a user, device or version.",
    discussion: """
      automobile fetch 3f2a51c0 --reason "Ticket 88" --wait
      automobile fetch --user ada --bundle com.example.shop --reason "Ticket 88" --from 2026-01-02T10:00:00Z
      automobile fetch --list
      automobile fetch --withdraw 417

      Apps that keep what they record (flight recorder mode) send it when they hear of it: within seconds in the foreground, else \
      when they are opened or deliver. An ask stands for 14 days. --wait ends when the first events came, or the ask is gone. \
      Asking needs an operator key. With --json, the collector's answer; lists one ask per line.
      """)

  @Argument(help: "The session's id, or the beginning of it.")
  var session: String?

  @Option(help: "The user's id, as the app gave it.")
  var user: String?

  @Option(help: "The anonymousId of an installation.")
  var device: String?

  @Option(help: "What runs this version now.")
  var appVersion: String?

  @Option(help: "The app's bundle id; not needed for a session.")
  var bundle: String?

  @Option(help: "Why; others see it in the list.")
  var reason: String?

  @Option(help: "Events from this time on: 2026-01-02T10:00:00Z, or milliseconds since 1970.")
  var from: AskedTime?

  @Option(help: "Events up to this time.")
  var to: AskedTime?

  @Flag(help: "Wait until the first events came.")
  var wait = false

  @Flag(help: "Show what is asked for, instead.")
  var list = false

  @Option(help: "Take an ask back, by its number in the list, instead.")
  var withdraw: Int?

  @OptionGroup var options: ConfigOptions

  private var subjects: [(name: String, value: String)] {
    [("session", session), ("user", user), ("device", device), ("appVersion", appVersion)].compactMap { name, value in
      value.map { (name, $0) }
    }
  }

  func validate() throws {
    if list || withdraw != nil {
      guard !(list && withdraw != nil), reason == nil, !wait else {
        throw ValidationError("--list and --withdraw stand alone.")
      }
      guard withdraw == nil || subjects.isEmpty else {
        throw ValidationError("--withdraw takes a number, and nothing else.")
      }
      guard subjects.count <= 1 else { throw ValidationError("List those about one thing, or all.") }
      return
    }
    guard subjects.count == 1 else {
      throw ValidationError("Name a session, or one of --user, --device and --app-version.")
    }
    guard session != nil || bundle != nil else { throw ValidationError("Say which app: --bundle.") }
    guard let reason, reason.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("Say why: --reason. Others see it in the list.")
    }
    if let from, let to, from.milliseconds > to.milliseconds { throw ValidationError("--from is later than --to.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    if list { return try await show(client, console) }
    if let withdraw {
      let ask = try await client.send(.DELETE, "/api/asks/\(withdraw)")
      if options.collector.json { return console.out(ask.line) }
      return console.out(
        "\(console.style.green("✓")) Ask \(withdraw) is withdrawn. What was on its way may still come.")
    }
    var ask = try await client.send(.POST, "/api/asks", .object(try await body(client)))
    if wait { ask = try await waited(for: ask, client, console) }
    if options.collector.json {
      console.out(ask.line)
    } else {
      console.out(
        "\(console.style.green("✓")) \(console.style.bold("Ask \(ask["id"]?.int ?? 0)")): \(AskText.state(ask))")
      if !wait { console.out("  \(console.style.dim("Its state: automobile fetch --list"))") }
    }
    if wait, ask["state"]?.string == "gone" { throw ExitCode(Failure.Kind.failed.rawValue) }
  }

  private func body(_ client: CollectorClient) async throws -> [String: JSON] {
    var body: [String: JSON] = ["reason": .string(reason ?? "")]
    for (name, value) in subjects { body[name] = .string(value) }
    if let session {
      // The collector takes whole names only; whoever types has the beginning of one.
      body["session"] = .string(try await client.session(named: session)["sessionId"]?.string ?? session)
    }
    body["bundleId"] = bundle.map { .string($0) }
    body["from"] = from.map { .integer($0.milliseconds) }
    body["to"] = to.map { .integer($0.milliseconds) }
    return body
  }

  private func waited(for asked: JSON, _ client: CollectorClient, _ console: Console) async throws -> JSON {
    var ask = asked
    var told: String?
    while !["came", "gone"].contains(ask["state"]?.string ?? "gone") {
      if told != ask["state"]?.string, !options.collector.json {
        console.note(console.errorStyle.dim("\(AskText.state(ask)). Ctrl-C to stop waiting; the ask stands."))
        told = ask["state"]?.string
      }
      try await Task.sleep(for: .milliseconds(500))
      ask = try await client.get("/api/asks/\(ask["id"]?.int ?? 0)")
    }
    return ask
  }

  private func show(_ client: CollectorClient, _ console: Console) async throws {
    var query: [(String, String?)] = [("limit", "200"), ("app", bundle)]
    query += subjects.map { ($0.name, $0.value) }
    let asks = try await client.get("/api/asks", query)["asks"]?.array ?? []
    if options.collector.json {
      for ask in asks { console.out(ask.line) }
      return
    }
    guard !asks.isEmpty else { return console.note("Nothing is asked for.") }
    var table = Table(columns: [
      .init(title: "ASK"), .init(title: "TIME"), .init(title: "WHO", minimum: 10, paint: { $0.cyan($1) }),
      .init(title: "FOR", minimum: 16), .init(title: "STATE", minimum: 10), .init(title: "WHY", minimum: 10, rank: 2),
      .init(title: "APP", rank: 3),
    ])
    table.rows = asks.map { ask in
      [
        ask["id"]?.text ?? "", Format.time(ask["askedAt"]?.integer ?? 0, fraction: false), ask["askedBy"]?.text ?? "",
        "\(AskText.kind(ask)) \(ask["subject"]?.text ?? "")", AskText.state(ask), ask["reason"]?.text ?? "",
        ask["bundleId"]?.text ?? "",
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}

/// An ask in words.
enum AskText {
  static func kind(_ ask: JSON) -> String {
    ask["kind"]?.string == "appVersion" ? "version" : ask["kind"]?.text ?? ""
  }

  static func state(_ ask: JSON) -> String {
    switch ask["state"]?.string {
    case "asked": return "asked"
    case "on_its_way": return "on its way"
    case "came": return "came: \(Format.plural(ask["events"]?.int ?? 0, "event"))"
    case "gone":
      switch ask["gone"]?.string {
      case "withdrawn": return "withdrawn"
      case "expired": return "gone: the device keeps nothing of it any more"
      default: return "gone: its time is over"
      }
    default: return ask["state"]?.text ?? ""
    }
  }
}

/// A time that somebody asks for.
struct AskedTime: ExpressibleByArgument {
  let milliseconds: Int64

  init?(argument: String) {
    if let number = Int64(argument) {
      guard (0...253_402_300_799_999).contains(number) else { return nil }
      milliseconds = number
      return
    }
    let forms = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
    guard argument.utf8.count <= 40, let date = forms.lazy.compactMap({ try? $0.parse(argument) }).first,
      (0...253_402_300_799).contains(date.timeIntervalSince1970)
    else { return nil }
    milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
  }
}
