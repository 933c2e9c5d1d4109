import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `An index from before there were owners` {
  /// What an earlier version had: an app with a project, its extension, an app without, and things of nobody.
  private static let before = """
    INSERT INTO project(name, bundleId, createdAt, createdBy) VALUES ('Shop', 'com.shop', 0, 'me');
    INSERT INTO session(id, sessionId, bundleId) VALUES
      (1, 's-1', 'com.shop'), (2, 's-2', 'com.shop.widget'), (3, 's-3', 'com.other'), (4, 's-4', NULL);
    INSERT INTO launch(id, launchId, bundleId) VALUES (1, 'L1', 'com.shop'), (2, 'L2', 'com.other'), (3, 'L3', NULL);
    INSERT INTO launch_end(name, verdict, evidence, memory) VALUES ('L1', 'crash', 'e', 7), ('never', 'crash', 'e', 8);
    INSERT INTO replay(id, replayId, bundleId, received) VALUES (1, 'r-1', 'com.shop', 0), (2, 'r-2', NULL, 0);
    INSERT INTO replay_session VALUES (1, 's-1');
    INSERT INTO replay_segment(segmentId, replay, kind, first, last, frames, announced, received, pack, contentHash, continues)
      VALUES ('a', 1, 'screenshots', 10, 20, 3, 100, 50, 9, 'h', NULL), ('b', 2, 'events', 11, 21, 0, 101, 51, NULL, NULL, 'a');
    INSERT INTO replay_fault VALUES ('i-1', 1, 5, 'crash', 'x', 'd', '[]', '{}', 6), ('i-2', NULL, 5, 'anr', 'x', 'd', '[]', '{}', 6);
    """

  @Test func `keeps everything, each with the app that it came with`() throws {
    let database = try DatabaseQueue()
    try Schema.migrator.migrate(database, upTo: "14: contexts by session")
    try database.write { try $0.execute(sql: Self.before) }
    try Schema.migrator.migrate(database)
    try database.read { database in
      func owners(_ table: String) throws -> [String] {
        try String.fetchAll(
          database, sql: "SELECT given || ' ' || name FROM \(table) JOIN owner ON owner.id = owner ORDER BY \(table).id"
        )
      }
      #expect(try owners("session") == ["s-1 app com.shop", "s-2 app com.shop", "s-3 app com.other", "s-4 app "])
      #expect(try owners("launch") == ["L1 app com.shop", "L2 app com.other", "L3 app "])
      #expect(try owners("replay") == ["r-1 app com.shop", "r-2 app "])
      let end = try Row.fetchAll(
        database,
        sql: """
          SELECT launchId, verdict, memory FROM launch
            JOIN launch_end ON launch_end.owner = launch.owner AND launch_end.name = launch.given
          """)
      #expect(end.map { $0[0] as String } == ["L1"])
      #expect(end.map { $0[2] as Int } == [7])
      let segments = try String.fetchAll(
        database,
        sql: """
          SELECT segmentId || ' ' || (replay_segment.owner = replay.owner) || ' ' || replay_segment.first || ' ' || replay_segment.last
            || ' ' || replay_segment.frames || ' ' || announced || ' ' || replay_segment.received || ' ' || IFNULL(pack, '-')
            || ' ' || IFNULL(contentHash, '-') || ' ' || IFNULL(continues, '-')
          FROM replay_segment JOIN replay ON replay.id = replay ORDER BY replay_segment.id
          """)
      #expect(segments == ["a 1 10 20 3 100 50 9 h -", "b 1 11 21 0 101 51 - - a"])
      let faults = try String.fetchAll(
        database, sql: "SELECT incidentId || ' ' || timestamp || ' ' || received FROM replay_fault ORDER BY 1")
      #expect(faults == ["i-1 5 6", "i-2 5 6"])
      let replays = try String.fetchAll(
        database, sql: "SELECT replayId FROM replay WHERE id IN (\(ReplayTables.ofSessionNamed))", arguments: ["s-1"])
      #expect(replays == ["r-1"])
    }
  }
}
