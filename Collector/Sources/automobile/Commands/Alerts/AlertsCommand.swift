import ArgumentParser

/// `automobile alerts …`: who is told of what, where, and what they were told.
struct AlertsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts", abstract: "Tell people when something goes wrong: rules, channels and what was sent.",
    discussion: """
      automobile alerts channels add slack Team --post-to-file slack-url
      automobile alerts add new_issue --app com.example.shop --channel Team
      automobile alerts add crash_free --threshold 99.5 --within 24h --channel Team
      automobile alerts add request_errors --threshold 5 --host api.example.com --route /v1/cart --channel Team
      automobile alerts add ask --state came --app com.example.shop --channel Team
      automobile alerts test 1
      automobile alerts log

      A rule without a channel is told in the log, where the collector runs, and to “automobile alerts watch”.
      """,
    subcommands: [
      AlertsListCommand.self, AlertsAddCommand.self, AlertsRemoveCommand.self, AlertsTestCommand.self,
      AlertsLogCommand.self, AlertsWatchCommand.self, AlertChannelsCommand.self,
    ],
    defaultSubcommand: AlertsListCommand.self)
}

struct AlertsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the rules.", discussion: "With --json, one rule per line.")

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await options.client().get("/api/alerts")
    let rules = answer["rules"]?.array ?? []
    if options.collector.json {
      for rule in rules { console.out(rule.line) }
      return
    }
    guard !rules.isEmpty else {
      return console.note("No rules. Add one with: automobile alerts add new_issue")
    }
    let names = Dictionary(
      (answer["channels"]?.array ?? []).map { ($0["id"]?.int ?? 0, $0["name"]?.text ?? "") }
    ) { $1 }
    var table = Table(columns: [
      .init(title: "RULE", alignsRight: true, paint: { $0.cyan($1) }), .init(title: "NAME", minimum: 8),
      .init(title: "WHEN", minimum: 20), .init(title: "TO", minimum: 6), .init(title: "NOW", rank: 1),
    ])
    table.rows = rules.map { rule in
      let channels = (rule["channels"]?.array ?? []).compactMap { $0.int.flatMap { names[$0] } }
      let firing = answer["firing"]?[rule["id"]?.text ?? ""]?.int ?? 0
      return [
        rule["id"]?.text ?? "", rule["name"]?.text ?? "", rule["sentence"]?.text ?? "",
        channels.isEmpty ? "the log" : channels.joined(separator: ", "),
        rule["enabled"]?.bool == false ? "off" : firing > 0 ? "\(firing) open" : "watching",
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}

/// `automobile alerts remove RULE…`
struct AlertsRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove rules.")

  @Argument(help: "The rules' numbers, from the list.")
  var rules: [Int]

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    for rule in rules {
      let answer = try await options.client().send(.DELETE, "/api/alerts/rules/\(rule)")
      console.out(options.collector.json ? answer.line : "Removed rule \(rule).")
    }
  }
}

/// `automobile alerts test RULE`: a message that says that nothing has happened, to each of its channels.
struct AlertsTestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send a test to each channel of a rule.",
    discussion: "Exit code 1: one was not reached.")

  @Argument(help: "The rule's number, from the list.")
  var rule: Int

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await options.client().send(.POST, "/api/alerts/rules/\(rule)/test", [:])
    let channels = answer["channels"]?.array ?? []
    if options.collector.json {
      for channel in channels { console.out(channel.line) }
    } else if channels.isEmpty {
      console.note("The rule has no channels.")
    } else {
      for channel in channels {
        console.out(AlertText.outcome(channel, "channel \(channel["id"]?.text ?? "")", console))
      }
    }
    if channels.contains(where: { $0["sent"]?.bool != true }) { throw ExitCode(1) }
  }
}
