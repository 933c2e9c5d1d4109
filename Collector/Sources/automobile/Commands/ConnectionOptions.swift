import ArgumentParser
import AutoMobileCollector
import Foundation

/// Which collector a command talks to, and how it answers.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: """
      The collector's address. Or AUTOMOBILE_URL in the environment, or saved by “automobile connect”. \
      (default: \(Connection.standardURL))
      """)
  var url: String?

  @Option(
    help: ArgumentHelp(
      "A file with the collector's key. Or set AUTOMOBILE_KEY, which process lists don't show.", valueName: "file"))
  var keyFile: String?

  @Option(help: "The key itself, visible to all users in the process list.")
  var key: String?

  @Flag(help: "Print JSON.")
  var json = false

  /// - Parameter keyVariables: environment variables that come before `AUTOMOBILE_KEY`.
  func client(keyVariables: [String] = []) throws -> CollectorClient {
    try connection(keyVariables: keyVariables).client
  }
}

/// Which events a command shows.
struct EventFilter: ParsableArguments {
  @Option(name: .customLong("type"), help: "Only these types, separated by commas: log,network_request.")
  var types: String?

  @Option(
    name: [.customLong("search"), .customLong("grep")],
    help: "Only events that match: words, or fields like “level:error”.")
  var text: String?

  var query: [(String, String?)] { [("type", types), ("q", text)] }

  var isEmpty: Bool { types == nil && text == nil }

  /// Apps have types of their own: one that is not known is asked for, and doubted.
  func doubt(_ console: Console) {
    for type in (types ?? "").split(separator: ",").map(String.init) where !Collector.eventTypes.contains(type) {
      let near = Suggestion.text(for: type, among: Collector.eventTypes)
      if !near.isEmpty { console.note("No event type “\(Printable.text(type))” is known.\(near)") }
    }
  }
}
