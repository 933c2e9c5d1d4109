import GRDB
import Testing

@testable import AutoMobileCollector

extension EventStore {
  /// Deletes a session, step by step as retention does; returns how many rows of events that were.
  func erase(_ session: String) throws -> Int {
    let eraser = SessionEraser(store: self, maximumDepth: 64)
    let row = try #require(
      try pool.read { try Int64.fetchOne($0, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [session]) })
    var deleted = 0
    while true {
      let step = try eraser.step(row, at: 1_800_000_000_000)
      deleted += step.events
      if step.isDone { return deleted }
    }
  }
}
