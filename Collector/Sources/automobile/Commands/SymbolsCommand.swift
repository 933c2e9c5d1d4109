import ArgumentParser

/// `automobile symbols`: which builds the collector can name the lines of.
struct SymbolsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symbols", abstract: "Give the collector the symbols and sources of a build; list and remove them.",
    subcommands: [
      SymbolsAddCommand.self, SymbolsListCommand.self, SymbolsRemoveCommand.self, SymbolsLinkCommand.self,
    ],
    defaultSubcommand: SymbolsListCommand.self)
}
