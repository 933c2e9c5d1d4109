import ArgumentParser

/// `automobile symbols`: which builds the collector can name the lines of.
struct SymbolsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symbols", abstract: "Give the collector the symbols of a build; list and remove them.",
    subcommands: [SymbolsAddCommand.self, SymbolsListCommand.self, SymbolsRemoveCommand.self],
    defaultSubcommand: SymbolsListCommand.self)
}
