import ArgumentParser
import Foundation

/// `automobile mock list [BUNDLE]`: the rules, in the order in which they are asked.
struct MockListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List an app's rules, in the order in which they are tried.",
    discussion: "With --json, one rule per line, as in the document.")

  @Argument(help: "An app's bundle id; “*” for the rules for all apps.")
  var bundle: String

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    // What the app gets: its own rules, or else those for all.
    let rules = try await MockList(options.client().configuration(of: bundle).effective).rules
    if options.collector.json {
      for rule in rules { console.out(rule.line) }
      return
    }
    guard !rules.isEmpty else { return console.note("No rules: the network answers every request.") }
    var table = Table(columns: [
      .init(title: "RULE", minimum: 8, paint: { $0.cyan($1) }), .init(title: "REQUEST → ANSWER", minimum: 20),
    ])
    table.rows = rules.map { [$0["id"]?.text ?? "–", $0.mockRuleText].map(Printable.text) }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}
