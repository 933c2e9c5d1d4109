import AutoMobileClickHouse
import Foundation
import Logging

/// What holds a batch up.
struct SendProblem: Sendable, Equatable {
  var text: String
  /// Numbers of the shards that do not take their rows, in order.
  var shards: [Int]
}

/// Sends a batch until ClickHouse has all of it, whatever that takes.
struct BatchSender: Sendable {
  private let inserter: ClickHouseInserter
  private let metrics: ClickHouseMetrics
  private let logger: Logger
  private static let longestPause: Duration = .seconds(10)

  /// - Parameter patience: after which a shard that does not take its rows is told of, and asked anew.
  init(_ cluster: ClickHouseCluster, patience: Duration, metrics: ClickHouseMetrics, logger: Logger) {
    var limits = InsertLimits.asBrought(within: patience)
    // What is under way is bounded by whoever calls, batch by batch.
    limits.memory = .max
    inserter = ClickHouseInserter(cluster, limits: limits)
    self.metrics = metrics
    self.logger = logger
  }

  /// - Parameter onProblem: called with what is wrong, and with nil when that is over.
  /// - Throws: `CancellationError` only.
  func send(_ tables: [ShardedRows], onProblem: @escaping @Sendable (SendProblem?) -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for rows in tables { group.addTask { try await send(rows, onProblem: onProblem) } }
      try await group.waitForAll()
    }
  }

  private func send(_ rows: ShardedRows, onProblem: @Sendable (SendProblem?) -> Void) async throws {
    // Who has theirs is not asked to take them again.
    var confirmed: Set<Int> = []
    var pause: Duration = .milliseconds(500)
    while true {
      do {
        try await inserter.insert(rows, besides: confirmed)
        return
      } catch let failure as InsertFailure {
        confirmed.formUnion(failure.confirmed)
        metrics.failed()
        onProblem(SendProblem(text: "\(failure)", shards: Array(Set(failure.parts.map(\.shard))).sorted()))
        logger.error("ClickHouse does not take rows; trying again", metadata: ["error": "\(failure)"])
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }
}
