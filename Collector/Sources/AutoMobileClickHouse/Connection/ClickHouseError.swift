/// Why ClickHouse did not do what was asked for, and where. No credentials and no values are in it.
package struct ClickHouseError: Error, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// The server says no, with a number of its own.
    case server(code: Int)
    /// Nobody answered, or the connection ended before the answer did.
    case connection
    /// Somebody answered, and one of both does not take the other's certificate. Nothing was asked.
    case untrusted
    case timeout
    /// The answer is longer than was allowed.
    case tooLarge
    /// What came is no answer of ClickHouse's, or not to this question.
    case answer
    /// The address is not one.
    case address
    /// What was to be sent cannot be: a name or a row that nothing could hold.
    case statement
    /// The servers are not set up so that they can be used: shards, replicas, versions.
    case setup
  }

  package var kind: Kind
  /// In words; the server's own, when it said something.
  package var message: String
  /// As `host:port`; nil where it is not about one.
  package var host: String?

  package init(_ kind: Kind, _ message: String, host: String? = nil) {
    self.kind = kind
    self.message = message
    self.host = host
  }

  package var description: String {
    let place = host.map { " at \($0)" } ?? ""
    return switch kind {
    case .server(let code): "ClickHouse\(place) says: \(message) (code \(code))"
    case .connection, .untrusted: "no connection to ClickHouse\(place): \(message)"
    case .timeout: "ClickHouse\(place) did not answer in time: \(message)"
    default: "ClickHouse\(place): \(message)"
    }
  }

  /// Whether another host may do it.
  var isOfHost: Bool { kind == .connection || kind == .untrusted }

  /// Whether the same may succeed later. What the server refuses for what it is will be refused again.
  package var isTransient: Bool {
    switch kind {
    // Certificates are renewed while one waits.
    case .connection, .untrusted, .timeout: true
    case .server(let code): Self.transientCodes.contains(code)
    case .tooLarge, .answer, .address, .statement, .setup: false
    }
  }

  /// What passes by itself: timeouts (159, 160, 209), network and names (198, 203, 210, 279, 1000), no memory (173, 241), no disk (75, 76, 243, 425), too many
  /// questions, parts or threads at once (202, 252, 439), a server that stops (236, 394), Keeper and replicas (225, 242, 285, 286, 319, 999).
  private static let transientCodes: Set<Int> = [
    75, 76, 159, 160, 173, 198, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 279, 285, 286, 319, 394, 425, 439,
    999,
    1000,
  ]
}
