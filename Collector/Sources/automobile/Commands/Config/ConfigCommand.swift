import ArgumentParser
import Foundation

/// `automobile config …`: what a collector tells the apps that deliver to it.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show or change app configuration: kill switch, sampling, options.",
    discussion: """
      An app gets the document for all apps (“*”) with its own merged into it. Recording is off if either of them switches it \
      off. Debug builds get a change at once, others with their next delivery, or when they come to the foreground.
      """,
    subcommands: [
      ConfigShowCommand.self, ConfigSetCommand.self, ConfigKillCommand.self, ConfigReviveCommand.self,
      ConfigRulesCommand.self,
    ],
    defaultSubcommand: ConfigShowCommand.self)
}

/// Whose document it is, and where.
struct ConfigOptions: ParsableArguments {
  @OptionGroup var collector: ConnectionOptions

  func client() throws -> CollectorClient {
    try collector.client(keyVariables: [CollectorClient.operatorKeyVariable])
  }

  /// How a change is told, and whether the app that it is for has ever been heard of.
  func tell(_ document: ConfigurationDocument, _ what: String, advice: String? = nil, _ console: Console) async {
    if let doubt = await (try? client())?.doubt(app: document.bundle) { console.note(doubt) }
    if collector.json { return console.out(document.json.line) }
    let style = console.style
    let name = document.bundle == "*" ? "all apps" : Printable.text(document.bundle)
    console.out("\(style.green("✓")) \(style.bold(name)): \(what) \(style.dim("· version \(document.version)"))")
    if let advice { console.out("  \(style.dim(advice))") }
  }
}
