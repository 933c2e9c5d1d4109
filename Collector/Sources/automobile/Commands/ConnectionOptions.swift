import ArgumentParser
import Foundation

/// Which collector a command talks to, and how it answers.
struct ConnectionOptions: ParsableArguments {
  @Option(help: "The collector's address.")
  var url = "http://127.0.0.1:8765"

  @Option(
    help: ArgumentHelp(
      "A file with the collector's key. Or AUTOMOBILE_KEY in the environment.", valueName: "file"))
  var keyFile: String?

  @Option(help: "The key itself: other users of this machine see it in the process list.")
  var key: String?

  @Flag(help: "Answer in JSON.")
  var json = false

  /// - Parameter keyVariables: environment variables that come before `AUTOMOBILE_KEY`.
  func client(keyVariables: [String] = []) throws -> CollectorClient {
    // Paths are appended to it.
    let base = url.hasSuffix("/") ? String(url.dropLast()) : url
    guard let url = URL(string: base), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host != nil
    else {
      throw Failure(
        kind: .unavailable, message: "“\(Printable.text(self.url))” is not an address.",
        advice: "It looks like this: --url http://127.0.0.1:8765")
    }
    let given = GivenKeys(
      fileOption: "--key-file", files: [keyFile].compactMap { $0 }, variables: keyVariables + ["AUTOMOBILE_KEY"],
      option: "--key", arguments: [key].compactMap { $0 })
    // What is said in the command itself comes before the environment.
    let keys = try given.all()
    return CollectorClient(url: url, key: key.flatMap { $0.isEmpty ? nil : $0 } ?? keys.first)
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
}
