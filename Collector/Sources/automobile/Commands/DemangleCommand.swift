import ArgumentParser
import AutoMobileCollector

/// `automobile demangle`: the collector starts it, and asks it for names.
struct DemangleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demangle", abstract: "Read mangled names, a line each, and write them as people read them.",
    shouldDisplay: false)

  func run() { Demangling.serve { Console.standard.out($0) } }
}
