import ArgumentParser
import Foundation

/// Which collector a command talks to, and how it answers.
struct ConnectionOptions: ParsableArguments {
  @Option(help: "The collector's address.")
  var url = "http://127.0.0.1:8765"

  @Option(
    help: "The collector's key. The environment variable AUTOMOBILE_KEY serves as well, and stays out of process lists."
  )
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
    let environment = ProcessInfo.processInfo.environment
    let keys = [key] + (keyVariables + ["AUTOMOBILE_KEY"]).map { environment[$0] }
    return CollectorClient(url: url, key: keys.compactMap { $0 }.first { !$0.isEmpty })
  }
}

/// Which events a command shows.
struct EventFilter: ParsableArguments {
  @Option(name: .customLong("type"), help: "Only these types, separated by commas: log,network_request.")
  var types: String?

  @Option(name: .customLong("grep"), help: "Only events that hold this text.")
  var text: String?

  var query: [(String, String?)] { [("type", types), ("q", text)] }
}
