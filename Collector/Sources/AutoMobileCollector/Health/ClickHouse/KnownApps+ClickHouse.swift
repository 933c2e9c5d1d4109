import AutoMobileClickHouse

extension KnownApps {
  init(_ reading: ClickHouseReading) async throws {
    let types = SessionTables.value("types") ?? "[]"
    let known = reading.sessions(
      SeenSessions(selected: ClickHouseSessionTerms.said + ["\(types) AS said_types"], filter: [Stability.isKnownThere])
    )
    let statement = known.inside {
      "SELECT said_bundle, said_version, count() FROM (\($0)) GROUP BY said_bundle, said_version"
    }
    let found = try await reading.rows(statement) {
      (app: try $0.string(), version: try $0.string(), count: Int64(clamping: try $0.int(UInt64.self)))
    }
    var tallies = AppTallies()
    for one in found { tallies.add(one.app, one.version, one.count) }
    self.init(tallies)
  }
}
