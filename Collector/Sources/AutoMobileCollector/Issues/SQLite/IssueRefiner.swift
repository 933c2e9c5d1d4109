import Foundation
import GRDB
import Logging

/// Looks at reports again when more can be said of them: after they were indexed, and when symbols are added. On a thread
/// of its own, so that neither indexing nor a request waits for a symbolizer.
final class IssueRefiner: Sendable {
  private let store: EventStore
  private let symbolizer: Symbolizer
  private let logger: Logger
  private let onRefined: @Sendable () -> Void
  private let worker = BackgroundWorker()
  /// Reports of one transaction: short, since the indexer waits for it.
  private let batch = 64
  private let retryDelay = 1.0
  /// When the store of symbols does not answer; longer than the symbolizer takes its word for it.
  private let symbolDelay = 11.0

  /// - Parameter onRefined: something was looked at, and there may be something to tell the state.
  init(
    store: EventStore, symbolizer: Symbolizer, logger: Logger, onRefined: @escaping @Sendable () -> Void = {}
  ) {
    self.store = store
    self.onRefined = onRefined
    self.symbolizer = symbolizer
    self.logger = logger
    worker.start("issues") { [self] in refineAll() }
  }

  /// There may be something to do.
  func wake() { worker.wake() }

  /// Ends the thread, after the batch at hand.
  func stop() { worker.stop() }

  private func refineAll() {
    do {
      while try refineSome(), !worker.mustEnd {}
    } catch let error as BlobError {
      logger.warning("reports wait for their symbols", metadata: ["error": "\(error)"])
      if worker.pause(symbolDelay) { worker.wake() }
    } catch {
      logger.error("reports cannot be looked at again; trying later", metadata: ["error": "\(error)"])
      if worker.pause(retryDelay) { worker.wake() }
    }
  }

  private struct Waiting {
    var event: Int64
    var type: String
    var payload: Data
  }

  /// One batch; false when nothing is left that can be improved.
  private func refineSome() throws -> Bool {
    let waiting = try store.pool.read(find)
    guard !waiting.isEmpty else { return false }
    let refined = try waiting.map { ($0.event, try RefinedReport($0.payload, type: $0.type, symbolizer)) }
    try store.pool.write { database in
      let writer = IssueWriter(database)
      for (event, refined) in refined {
        if let refined { try writer.refine(event, refined.report) }
        for build in refined?.done ?? [""] {
          try database.cachedStatement(sql: "DELETE FROM report_image WHERE build = ? AND event = ?")
            .execute(arguments: [build, event])
        }
      }
    }
    onRefined()
    return true
  }

  /// Reports not looked at yet, and those of builds whose symbols are here.
  private func find(_ database: Database) throws -> [Waiting] {
    var events: [Int64] = []
    let known = symbolizer.tools.symbolizer != nil ? symbolizer.store.all.map(\.id) : []
    for build in [""] + known where events.count < batch {
      events += try Int64.fetchAll(
        database.cachedStatement(sql: "SELECT event FROM report_image WHERE build = ? ORDER BY event LIMIT ?"),
        arguments: [build, batch - events.count])
    }
    return try Set(events).sorted().compactMap { event in
      try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT event_type.name, event.payload FROM event JOIN event_type ON event_type.id = event.type
            WHERE event.id = ?
            """), arguments: [event]
      ).map { Waiting(event: event, type: $0[0], payload: $0[1]) }
    }
  }
}
