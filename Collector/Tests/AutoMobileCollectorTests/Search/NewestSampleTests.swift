import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// What is read before the full text index is asked.
@Suite struct `The newest events` {
  private static func sample(_ types: [String], crashes: Int) throws -> NewestSample {
    let queue = try DatabaseQueue()
    return try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE event_type(id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE event(id INTEGER PRIMARY KEY, payload BLOB, type INTEGER, session INTEGER);
          CREATE INDEX event_type_id ON event(type);
          INSERT INTO event_type VALUES (1, 'crash'), (2, 'log');
          """)
      for index in 0..<crashes + 3000 {
        let payload = Data(#"{"message":"payment \#(index)"}"#.utf8)
        try database.execute(
          sql: "INSERT INTO event(payload, type, session) VALUES (?, ?, 1)",
          arguments: [payload, index < crashes ? 1 : 2])
      }
      var filter = EventQuery.Filter()
      filter.types = types
      return try NewestSample(
        #require(SearchPattern("payment")), filter, .all([]), before: .max, limit: 100, maximumDepth: 64, in: database)
    }
  }

  @Test func `a common word of a rare type is found in all events of that, however old they are`() throws {
    let sample = try Self.sample(["crash"], crashes: 3)
    #expect(sample.found == [3, 2, 1])
    #expect(sample.isComplete)
  }

  @Test func `of a type that there is not, nothing is found, and that is all`() throws {
    let sample = try Self.sample(["hang"], crashes: 3)
    #expect(sample.found.isEmpty && sample.isComplete)
  }

  @Test func `of a common type the newest are read`() throws {
    let sample = try Self.sample(["crash", "log"], crashes: 2500)
    #expect(sample.found == (5401...5500).reversed())
  }
}
