import AutoMobileClickHouse

extension ClickHouseReading {
  /// What devices last said of their sessions in each launch (`about`): of several words the one with the greatest revision; of two of
  /// one revision, which a killed process can leave, the one that says more.
  ///
  /// A word that only says how a revision ended (`same_as`) makes that one final. `told_later`: another launch told of it.
  func toldSessions() -> SeenSQL {
    let columns: [SQLName] = [
      "project", "session", "shard", "launch", "id", "received", "about", "revision", "same_as", "started", "ended", "final",
      "ending", "events", "crashes", "launch_time", "launch_kind", "requests", "bundle", "version",
    ]
    let rows = distinct(DistinctRows(TelemetryTables.summaries, columns), selecting: columns.map { "\($0)" })
    return rows.inside { rows in
      """
      SELECT * FROM (SELECT * FROM (\(rows)) WHERE isNull(same_as) \
      ORDER BY revision DESC, final DESC, events DESC, id LIMIT 1 BY project, session, about)
      """
    }
  }
}
