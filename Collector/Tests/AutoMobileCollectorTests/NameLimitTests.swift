import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Names that are written once` {
  @Test func `types of events have a limit, and the name for all others has a place beyond it`() throws {
    let database = try DatabaseQueue()
    try database.write { database in
      try database.execute(sql: "CREATE TABLE event_type(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
      let insert = try database.makeStatement(sql: NameLimits.insertType)
      for index in 0..<NameLimits.eventTypes + 100 { try insert.execute(arguments: ["type \(index)"]) }
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM event_type") == NameLimits.eventTypes)
      for _ in 0..<2 { try insert.execute(arguments: [NameLimits.otherType]) }
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM event_type") == NameLimits.eventTypes + 1)
    }
  }

  @Test func `screens have a limit in each session`() throws {
    let database = try DatabaseQueue()
    try database.write { database in
      try database.execute(
        sql: "CREATE TABLE session_screen(session INTEGER, screen TEXT, PRIMARY KEY (session, screen)) WITHOUT ROWID")
      let insert = try database.makeStatement(sql: NameLimits.insertScreen)
      for session in 1...2 {
        for index in 0..<NameLimits.screens + 10 { try insert.execute(arguments: [session, "Screen \(index)"]) }
      }
      let counts = try Int.fetchAll(database, sql: "SELECT COUNT(*) FROM session_screen GROUP BY session")
      #expect(counts == [NameLimits.screens, NameLimits.screens])
    }
  }
}
