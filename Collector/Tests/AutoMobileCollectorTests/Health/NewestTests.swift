import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `App health of the newest` {
  /// Two apps: the shop's rows are older than the bank's.
  private static func store(_ directory: TemporaryDirectory) throws -> EventStore {
    let store = try EventStore(path: directory.url.appending(path: "index").path, fullText: false, maximumDepth: 64)
    try store.pool.write { database in
      try database.execute(
        sql: """
          INSERT INTO session(id, sessionId, given, bundleId, appVersion) VALUES (1, 'a', 'a', 'shop', '1'), (2, 'b', 'b', 'bank', '1');
          INSERT INTO build(id, bundleId, version) VALUES (1, 'shop', '1'), (2, 'bank', '1');
          INSERT INTO issue(id, name, kind, bundleId, cause) VALUES (1, 'a', 'crash', 'shop', 'x'), (2, 'b', 'crash', 'bank', 'x');
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
          INSERT INTO network(event, session, timestamp, method, host, route, path, failed)
            SELECT i, (i + 2) / 3, i, 'GET', 1, 1, '/', 0 FROM n;
          INSERT INTO tap_trouble(event, session, build, timestamp, kind, screen, element)
            SELECT event, session, session, timestamp, 'rage_tap', 'Menu', 'Pay' FROM network;
          INSERT INTO issue_event(event, issue, session, timestamp, version, screen)
            SELECT event, session, session, timestamp, '1', 'Menu' FROM network;
          """)
    }
    return store
  }

  private static func filter(_ app: String?) -> HealthFilter { HealthFilter(bundleId: app, from: 0, to: 100) }

  @Test func `an app's requests are counted, also when another app's are newer`() async throws {
    let directory = try TemporaryDirectory()
    try await Self.store(directory).pool.read { database in
      let shop = try RequestHealth(Self.filter("shop"), database, most: 4)
      #expect(shop.all.count == 3 && !shop.isPartial)
      let old = try RequestHealth(HealthFilter(version: "1", from: 0, to: 100), database, most: 4)
      #expect(old.all.count == 4 && old.isPartial)
      #expect(try RequestHealth(Self.filter(nil), database, most: 4).isPartial)
    }
  }

  @Test func `requests are read in the order of the table where that is the shorter way`() async throws {
    let directory = try TemporaryDirectory()
    try await Self.store(directory).pool.read { database in
      func source(_ from: Int64, most: Int) throws -> String {
        try RequestHealth.source(HealthFilter(from: from, to: 100), database, most: most)
      }
      // Of six.
      #expect(try source(0, most: 6).contains("NOT INDEXED"))
      #expect(try source(4, most: 6).contains("NOT INDEXED"))
      #expect(try !source(5, most: 6).contains("NOT INDEXED"), "two of six are found quicker by their time")
      // Not all are counted.
      #expect(try source(0, most: 5).contains("ORDER BY network.event DESC"))
      let old = try RequestHealth.source(HealthFilter(from: 0, to: 6), database, most: 4)
      #expect(old.contains("ORDER BY network.timestamp DESC"), "\(old)")
      // By either way, what is of the time.
      #expect(try RequestHealth(HealthFilter(from: 4, to: 6), database, most: 6).all.count == 2)
      #expect(try RequestHealth(HealthFilter(from: 2, to: 6), database, most: 6).all.count == 4)
    }
  }

  @Test func `the order of the table is no way to the requests of one app, nor of those who see some projects`()
    async throws
  {
    let directory = try TemporaryDirectory()
    try await Self.store(directory).pool.write { database in
      let byTime = "ORDER BY network.timestamp DESC"
      #expect(try RequestHealth.source(Self.filter("shop"), database, most: 2).contains(byTime))
      #expect(
        try RequestHealth.source(HealthFilter(version: "1", from: 0, to: 100), database, most: 6).contains(byTime))
      try database.execute(sql: "CREATE TEMP VIEW network AS SELECT * FROM main.network")
      for most in [2, 6] {
        let source = try RequestHealth.source(Self.filter(nil), database, most: most)
        #expect(source.contains(byTime) && !source.contains("NOT INDEXED"))
      }
      try database.execute(sql: "DROP VIEW temp.network")
    }
  }

  @Test func `taps and crashes are those of the newest, and it says when there are more`() async throws {
    let directory = try TemporaryDirectory()
    try await Self.store(directory).pool.read { database in
      let taps = try TapTroubles(Self.filter(nil), database, most: 2)
      #expect(taps.all.rage == 2 && taps.isPartial && taps.all.sessions == [2])
      #expect(try TapTroubles(Self.filter("shop"), database, most: 4).isPartial == false)
      #expect(Self.text { taps.write(to: &$0, bySummary: 0) }.contains("\"event\":6,"))

      let frames = try FrameStatistics(Self.filter(nil), database, mostCrashes: 2)
      #expect(frames.isPartial)
      let text = Self.text { frames.write(to: &$0, bySummary: 0) }
      #expect(text.contains("\"crashes\":2,\"event\":6,\"sessionId\":\"b\""), "\(text)")
      let shop = try FrameStatistics(Self.filter("shop"), database, mostCrashes: 4)
      #expect(
        !shop.isPartial
          && Self.text { shop.write(to: &$0, bySummary: 0) }.contains("\"crashes\":3,\"event\":3,\"sessionId\":\"a\""))
    }
  }

  private static func text(_ write: (inout JSONOutput) -> Void) -> String {
    var json = JSONOutput()
    json.object(write)
    return String(buffer: json.buffer)
  }
}
