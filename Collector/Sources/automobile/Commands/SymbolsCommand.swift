import ArgumentParser

/// `automobile symbols`: which builds the collector can name the lines of.
struct SymbolsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symbols", abstract: "Add, list and remove the symbols and sources of builds.",
    subcommands: [
      SymbolsAddCommand.self, SymbolsListCommand.self, SymbolsRemoveCommand.self, SymbolsLinkCommand.self,
    ],
    defaultSubcommand: SymbolsListCommand.self)
}
