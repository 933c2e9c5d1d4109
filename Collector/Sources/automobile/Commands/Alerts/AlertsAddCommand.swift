import ArgumentParser
import AutoMobileCollector

/// `automobile alerts add KIND …`
struct AlertsAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a rule.",
    discussion: """
      new_issue        an issue appears that was not there before
      regression       an issue comes back that somebody had resolved
      issue_rate       one issue is reported more than --threshold times within the time
      crash_free       fewer than --threshold % of sessions are without a crash
      request_errors   more than --threshold % of requests to a route fail
      silence          nothing is received for the time
      ask              what was asked for of devices came, or is gone
      """)

  @Argument(help: "new_issue, regression, issue_rate, crash_free, request_errors, silence or ask.")
  var kind: String

  @Option(help: "Its name, in alerts and lists.")
  var name: String?

  @Option(help: "Only this app, by its bundle id.")
  var app: String?

  @Option(name: .customLong("app-version"), help: "Only this version of the app.")
  var appVersion: String?

  @Option(name: .customLong("issues"), help: "Only these issues: crash, hang, failure. Again for more.")
  var issueKinds: [String] = []

  @Option(help: "Reports, or percent.")
  var threshold: Double?

  @Option(help: "The time that is looked at: 30m, 6h, 7d.")
  var within: String?

  @Option(help: "With fewer sessions or requests, a share says nothing.")
  var minimum: Int?

  @Option(help: "Of requests: GET, POST …")
  var method: String?

  @Option(help: "Of requests: the host.")
  var host: String?

  @Option(help: "Of requests: the route as the viewer lists it, /v1/orders/:id.")
  var route: String?

  @Option(
    name: .customLong("state"), help: "Of what was asked for: came, gone. Again for both, which is the default.")
  var states: [String] = []

  @Option(help: "How long nothing more is said about the same: 30m, 6h, 7d; 0: always.")
  var quiet: String?

  @Flag(name: .customLong("resolved"), inversion: .prefixedNo, help: "Tell also when it is over.")
  var resolved = true

  @Option(name: .customLong("channel"), help: "A channel's name or number. Again for more.")
  var channels: [String] = []

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    for (text, name) in [(within, "--within"), (quiet, "--quiet")] {
      if let text, Self.minutes(text) == nil { throw ValidationError("\(name) takes a time as 30m, 6h or 7d.") }
    }
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    if let doubt = await client.doubt(app: app) { console.note(doubt) }
    var body: [String: JSON] = ["kind": .string(kind), "resolved": .bool(resolved)]
    for (name, value) in [
      ("name", name), ("bundleId", app), ("version", appVersion), ("method", method), ("host", host), ("route", route),
    ] {
      if let value { body[name] = .string(value) }
    }
    if !issueKinds.isEmpty { body["issueKinds"] = .array(issueKinds.map { .string($0) }) }
    if !states.isEmpty { body["states"] = .array(states.map { .string($0) }) }
    if let threshold { body["threshold"] = Int64(exactly: threshold).map { .integer($0) } ?? .number(threshold) }
    if let minutes = within.flatMap(Self.minutes) { body["minutes"] = JSON(minutes) }
    if let minutes = quiet.flatMap(Self.minutes) { body["quietMinutes"] = JSON(minutes) }
    if let minimum { body["minimum"] = JSON(minimum) }
    let known = channels.isEmpty ? [] : try await client.get("/api/alerts")["channels"]?.array ?? []
    body["channels"] = .array(try channels.map { JSON(try AlertChannelsCommand.number(of: $0, among: known)) })
    let answer = try await client.send(.POST, "/api/alerts/rules", .object(body))
    if options.collector.json { return console.out(answer.line) }
    console.out(
      "\(console.style.green("✓")) Rule \(answer["id"]?.text ?? ""): \(Printable.text(answer["sentence"]?.text ?? ""))")
    if channels.isEmpty {
      console.out("  " + console.style.dim("It has no channel: it is told in the log and where the collector runs."))
    }
  }

  /// `30m`, `6h`, `7d`; a number alone is minutes.
  static func minutes(_ text: String) -> Int? {
    let units: [Character: Int] = ["m": 1, "h": 60, "d": 1440]
    guard let last = text.last else { return nil }
    let (digits, unit) = units[last].map { (text.dropLast(), $0) } ?? (text[...], 1)
    guard let number = Int(digits), (0...1_000_000).contains(number) else { return nil }
    return number * unit
  }
}
