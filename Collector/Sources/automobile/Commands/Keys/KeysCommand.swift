import ArgumentParser
import AutoMobileCollector

/// `automobile keys …`: who may deliver, read and decide.
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "List, create, rotate and revoke keys.",
    discussion: """
      automobile keys add --project com.example.shop --name "App Store"
      automobile keys add --role viewer --name CI
      automobile keys add --role viewer --project com.example.shop
      automobile keys rotate 3 --grace-days 60
      automobile keys revoke 3

      A project's key delivers that app's events and reads nothing. A viewer's key reads, an operator's also makes changes: of \
      all projects, or of one with --project. The collector keeps hashes: a key is shown once, when it is created.
      """,
    subcommands: [KeysListCommand.self, KeysAddCommand.self, KeysRotateCommand.self, KeysRevokeCommand.self],
    defaultSubcommand: KeysListCommand.self)
}

struct KeysListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List keys.", discussion: "With --json, one key per line.")

  @Flag(help: "Also list revoked and expired keys.")
  var all = false

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await options.client().get("/api/projects")
    let projects = answer["projects"]?.array ?? []
    let keys =
      (answer["keys"]?.array ?? []).map { ("all", $0) }
      + projects.flatMap { project in
        (project["keys"]?.array ?? []).map { (project["bundleId"]?.text ?? "", $0) }
      }
    let shown = keys.filter { all || $0.1["good"]?.bool == true }
      .sorted { $0.1["id"]?.int ?? 0 < $1.1["id"]?.int ?? 0 }
    if options.collector.json {
      for (bundle, key) in shown {
        var members = key.object ?? [:]
        members["bundleId"] = bundle == "all" ? .null : .string(bundle)
        console.out(JSON.object(members).line)
      }
      return
    }
    guard !shown.isEmpty else { return console.note("No keys, except those the collector was started with.") }
    let now = WallClock.now
    var table = Table(columns: [
      .init(title: "KEY", alignsRight: true, paint: { $0.cyan($1) }), .init(title: "NAME", minimum: 8),
      .init(title: "ROLE"), .init(title: "FOR", minimum: 10), .init(title: "ENDS WITH", rank: 3),
      .init(title: "LAST USED", rank: 1), .init(title: "VALID", rank: 2),
      .init(title: "LIMITED", alignsRight: true, rank: 4),
    ])
    table.rows = shown.map { bundle, key in
      let end = key["endsAt"]?.integer
      return [
        key["id"]?.text ?? "", key["name"]?.text ?? "", key["role"]?.text ?? "", bundle,
        "…" + (key["hint"]?.text ?? ""),
        key["lastUsedAt"]?.integer.map { Format.ago($0, now: now) } ?? "never",
        key["good"]?.bool == true ? end.map { "until " + Format.time($0, fraction: false).prefix(10) } ?? "yes" : "no",
        key["limited"]?.integer.map { $0 == 0 ? "" : String($0) } ?? "",
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}

struct KeysAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Create a key and show it, once.",
    discussion: "With --json: {\"id\", \"key\"}.")

  @Option(help: "The app that the key is for, by its bundle id or the project's name.")
  var project: String?

  @Option(help: "viewer or operator, for people and programs; without --project for all projects.")
  var role: String?

  @Option(help: "Its display name.")
  var name: String?

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard project != nil || role != nil else { throw ValidationError("Give a --project, a --role, or both.") }
    guard role.map({ ["viewer", "operator"].contains($0) }) ?? true else {
      throw ValidationError("--role is viewer or operator; an app's key is created with --project alone.")
    }
  }

  func run() async throws {
    let client = try options.client()
    var body: [String: JSON] = ["role": .string(role ?? "ingest"), "name": .string(name ?? role ?? "app")]
    if let project { body["project"] = try await client.project(named: project)["id"] }
    options.show(key: try await client.send(.POST, "/api/keys", .object(body)))
  }
}

struct KeysRotateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Create a new key with the same name; the old one stays valid for a while.")

  @Argument(help: "The key's number, from the list.")
  var key: Int

  @Option(help: "Days the old key stays valid.")
  var graceDays = 30

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard (0...365).contains(graceDays) else { throw ValidationError("--grace-days must be from 0 to 365.") }
  }

  func run() async throws {
    options.show(
      key: try await options.client().send(.POST, "/api/keys/\(key)/rotate", ["graceDays": JSON(graceDays)]))
  }
}

struct KeysRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a key at once.",
    discussion: "Apps that use it keep what they record, and deliver it when they get another.")

  @Argument(help: "The key's number, from the list.")
  var key: Int

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await options.client().send(.DELETE, "/api/keys/\(key)")
    if options.collector.json { return console.out(answer.line) }
    console.out("Revoked.")
  }
}

extension ConfigOptions {
  /// The only moment at which a key can be read: alone on standard output, so that it can be passed on.
  fileprivate func show(key answer: JSON) {
    let console = Console.standard
    if collector.json {
      return console.out(JSON.object(["id": answer["id"] ?? .null, "key": answer["key"] ?? .null]).line)
    }
    console.note("Key \(answer["id"]?.text ?? ""). Shown only once:")
    console.out(Printable.text(answer["key"]?.text ?? ""))
  }
}
