/// How rows become inserts.
package struct InsertLimits: Sendable {
  /// So many rows are sent at once, as soon as the one before has been confirmed …
  package var rows = 5000
  /// … and fewer when the first of them has waited so long.
  package var patience: Duration = .seconds(1)
  /// More than these are not in one insert: the server takes it as one block, whole or not at all. Bytes are those of RowBinary.
  package var longestRows = 200_000
  package var longestBytes = 16 << 20
  /// Of all rows that wait or are on their way, in bytes. Whoever brings more waits until there is room.
  package var memory = 128 << 20
  /// Between attempts: doubled each time, up to the longest.
  package var pause: Duration = .milliseconds(100)
  package var longestPause: Duration = .seconds(10)
  /// An insert that has failed for so long is given back to those who brought its rows; nil: it is tried until it succeeds.
  package var giveUpAfter: Duration? = .seconds(60)

  package init() {}

  /// What is brought together is one insert, however many rows it has, and nothing else is in it: so it is the same block when it
  /// comes again.
  package static var asBrought: InsertLimits {
    var limits = InsertLimits()
    limits.rows = 1
    limits.longestRows = 1
    return limits
  }

  /// The same for whoever tries again by themselves, and may have to end in between.
  package static func asBrought(within patience: Duration) -> InsertLimits {
    var limits = asBrought
    limits.giveUpAfter = patience
    return limits
  }
}

/// Rows that ClickHouse has not confirmed: which shard has failed, and how. Those of other shards have been kept, and may be sent
/// again without harm.
package struct InsertFailure: Error, CustomStringConvertible {
  package struct Part: Error, CustomStringConvertible {
    package var table: String
    /// Its number in the servers' configuration.
    package var shard: Int
    package var attempts: Int
    package var error: any Error

    package var description: String {
      "shard \(shard) did not take rows of \(table), tried \(attempts == 1 ? "once" : "\(attempts) times"): \(error)"
    }
  }

  package var parts: [Part]
  /// Numbers of the shards that have confirmed theirs.
  package var confirmed: [Int]
  package var isTransient: Bool {
    parts.allSatisfy { ($0.error as? ClickHouseError)?.isTransient ?? ($0.error is CancellationError) }
  }
  package var description: String { parts.map(\.description).joined(separator: "; ") }
}
