import ArgumentParser
import AutoMobileCollector

/// `automobile demangle`: the collector starts it, and asks it for names.
struct DemangleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demangle", abstract: "Demangle names from standard input, one per line.",
    shouldDisplay: false)

  func run() { Demangling.serve { Console.standard.out($0) } }
}
