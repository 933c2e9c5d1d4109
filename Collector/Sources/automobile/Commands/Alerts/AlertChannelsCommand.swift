import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile alerts channels …`: where alerts go.
struct AlertChannelsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "channels", abstract: "List, add, remove and test channels: webhooks, chats, mail.",
    discussion: """
      automobile alerts channels add webhook Ours --post-to https://hooks.example.com/automobile
      automobile alerts channels add slack Team --post-to-file slack-url
      automobile alerts channels add pagerduty Duty --routing-key-file key
      automobile alerts channels add mail Mail --server smtp.example.com --from alerts@example.com --to lea@example.com
      automobile alerts channels test Team

      Addresses of private networks and of this machine are refused unless the collector is started with --allow-egress.
      """,
    subcommands: [
      AlertChannelsListCommand.self, AlertChannelsAddCommand.self, AlertChannelsRemoveCommand.self,
      AlertChannelsTestCommand.self,
    ],
    defaultSubcommand: AlertChannelsListCommand.self)

  /// Of a channel that is called by its number or its name.
  static func number(of text: String, among channels: [JSON]) throws -> Int {
    if let channel = channels.first(where: { $0["name"]?.text == text || $0["id"]?.text == text }) {
      return channel["id"]?.int ?? 0
    }
    let names = channels.compactMap { $0["name"]?.text }.joined(separator: ", ")
    throw Failure(
      message: "No channel “\(Printable.text(text))”.",
      advice: names.isEmpty ? "Add one with: automobile alerts channels add" : "There are: \(Printable.text(names))")
  }
}

struct AlertChannelsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List channels.",
    discussion: "What is secret is shown by its last four characters. With --json, one channel per line.")

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await options.client().get("/api/alerts")
    let channels = answer["channels"]?.array ?? []
    if options.collector.json {
      for channel in channels { console.out(channel.line) }
      return
    }
    guard !channels.isEmpty else {
      return console.note("No channels. Add one with: automobile alerts channels add webhook Ours --post-to URL")
    }
    var table = Table(columns: [
      .init(title: "CHANNEL", alignsRight: true, paint: { $0.cyan($1) }), .init(title: "NAME", minimum: 8),
      .init(title: "KIND"), .init(title: "WHERE", minimum: 16), .init(title: "WAITING", alignsRight: true, rank: 1),
    ])
    table.rows = channels.map { channel in
      let to = (channel["to"]?.array ?? []).map(\.text).joined(separator: ", ")
      let place =
        channel["kind"]?.string == "mail"
        ? "\(to) by \(channel["host"]?.text ?? ""):\(channel["port"]?.text ?? "")" : channel["url"]?.text ?? ""
      return [
        channel["id"]?.text ?? "", channel["name"]?.text ?? "", channel["kind"]?.text ?? "", place,
        answer["waiting"]?[channel["id"]?.text ?? ""]?.text ?? "–",
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}

struct AlertChannelsRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a channel. What waits for it is not sent any more.")

  @Argument(help: "Its name or number.")
  var channel: String

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    let number = try await client.alertChannel(named: channel)
    let answer = try await client.send(.DELETE, "/api/alerts/channels/\(number)")
    console.out(options.collector.json ? answer.line : "Removed.")
  }
}

struct AlertChannelsTestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send a test to a channel.", discussion: "Exit code 1: it was not reached.")

  @Argument(help: "Its name or number.")
  var channel: String

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    let number = try await client.alertChannel(named: channel)
    let answer = try await client.send(.POST, "/api/alerts/channels/\(number)/test", [:])
    console.out(options.collector.json ? answer.line : AlertText.outcome(answer, channel, console))
    if answer["sent"]?.bool != true { throw ExitCode(1) }
  }
}

extension CollectorClient {
  /// The number of a channel that is called by that or by its name.
  func alertChannel(named text: String) async throws -> Int {
    try AlertChannelsCommand.number(of: text, among: try await get("/api/alerts")["channels"]?.array ?? [])
  }
}
