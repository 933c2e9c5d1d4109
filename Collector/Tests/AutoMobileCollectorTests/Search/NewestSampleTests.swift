import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// What is read before the full text index is asked.
@Suite struct `The newest events` {
  private static func sample(_ search: String = "payment", types: [String] = [], crashes: Int) throws -> NewestSample {
    let queue = try DatabaseQueue()
    return try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE event_type(id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE event(id INTEGER PRIMARY KEY, payload BLOB, type INTEGER, session INTEGER);
          CREATE INDEX event_type_id ON event(type);
          INSERT INTO event_type VALUES (1, 'crash'), (2, 'log');
          CREATE TABLE session(
            id INTEGER PRIMARY KEY, sessionId TEXT, userId TEXT, tags TEXT, appVersion TEXT, bundleId TEXT, device TEXT, last INTEGER);
          INSERT INTO session(id, sessionId, userId) VALUES (1, 'a', 'grace'), (2, 'b', 'ada');
          CREATE TABLE network(event INTEGER PRIMARY KEY, status INTEGER);
          INSERT INTO network VALUES (2999, 503);
          """)
      for index in 0..<crashes + 3000 {
        let payload = Data(#"{"message":"payment \#(index)\#(index % 500 == 0 ? " ada" : "")"}"#.utf8)
        try database.execute(
          sql: "INSERT INTO event(payload, type, session) VALUES (?, ?, ?)",
          arguments: [payload, index < crashes ? 1 : 2, index == 2997 ? 2 : 1])
      }
      var filter = EventFilter()
      filter.types = types
      let terms = try EventTerms(SearchQuery(search, in: .events), in: .everywhere(fullText: true), database)
      return try NewestSample(terms, filter, before: .max, limit: 100, maximumDepth: 64, in: database)
    }
  }

  @Test func `a common word of a rare type is found in all events of that, however old they are`() throws {
    let sample = try Self.sample(types: ["crash"], crashes: 3)
    #expect(sample.found == [3, 2, 1])
    #expect(sample.isComplete)
  }

  @Test func `of a type that there is not, nothing is found, and that is all`() throws {
    let sample = try Self.sample(types: ["hang"], crashes: 3)
    #expect(sample.found.isEmpty && sample.isComplete)
  }

  @Test func `of a common type the newest are read`() throws {
    let sample = try Self.sample(types: ["crash", "log"], crashes: 2500)
    #expect(sample.found == (5401...5500).reversed())
  }

  @Test func `a word that a session is known by is found with its events, and with those that say it`() throws {
    // The events of ada's session, and those that name her: the newest 2 000 end at the one with the id 1 001.
    #expect(try Self.sample("ada", crashes: 0).found == [2998, 2501, 2001, 1501, 1001])
    #expect(try Self.sample("ada payment", crashes: 0).found == [2998, 2501, 2001, 1501, 1001])
    #expect(try Self.sample("ada 2997", crashes: 0).found == [2998])
    #expect(try Self.sample("grace", crashes: 0).found == (2900...3000).filter { $0 != 2998 }.reversed())
  }

  @Test func `a status is found with its requests, and with what says it as a word`() throws {
    #expect(try Self.sample("503", crashes: 0).found == [2999])
    #expect(try Self.sample("503 payment status:503", crashes: 0).found == [2999])
    #expect(try Self.sample("503 declined", crashes: 0).found.isEmpty)
  }

  @Test func `what is in very many events is said to be common, whatever else it can mean`() throws {
    // By the end, which is that of no collector here, there are more events than anybody has.
    #expect(try Self.sample("grace nothing", crashes: 0).commonWords.isEmpty)
    #expect(try Self.sample("grace payment ada", crashes: 0).commonWords == ["payment", "ada"])
  }
}
