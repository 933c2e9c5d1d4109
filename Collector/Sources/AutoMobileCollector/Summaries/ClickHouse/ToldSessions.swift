import AutoMobileClickHouse

extension ClickHouseReading {
  /// What devices last said of their sessions in each launch (`about`): of several words the one with the greatest revision; of two of
  /// one revision, which a killed process can leave, the one that says more. `told_later`: another launch told that.
  ///
  /// A word that only says how a session ended (`same_as`) ends the revision that it names, where that is the last and told no end.
  ///
  /// `is_final`: nothing follows.
  ///
  /// - Parameter range: what holds of all words about a session.
  func toldSessions(_ range: [SQL] = []) -> SeenSQL {
    let columns: [SQLName] = [
      "project", "session", "launch", "id", "about", "revision", "started", "ended", "final", "ending", "events",
      "crashes", "failures", "counts",
      "launch_time", "launch_kind", "requests", "bundle", "version",
    ]
    var rows = DistinctRows(TelemetryTables.summaries, columns + ["same_as"])
    rows.range = ["isNull(same_as)"] + range
    let told = distinct(
      rows, selecting: columns.map { $0.text == "ending" ? "ifNull(ending, '') AS own_ending" : "\($0)" })
    let ends = ends(range)
    let kept: SQL = """
      project, session, about, revision, started, ended, events, crashes, failures, counts, launch_time, launch_kind, \
      requests, bundle, version
      """
    return told.inside { told in
      """
      SELECT \(kept), if(final = 0 AND notEmpty(said_by), said_ending, own_ending) AS ending, \
      toUInt8(final = 1 OR notEmpty(said_by)) AS is_final, \
      launch != about OR (final = 0 AND notEmpty(said_by) AND said_by != about) AS told_later \
      FROM (SELECT \(kept), launch, final, own_ending FROM (\(told)) \
      ORDER BY revision DESC, final DESC, events DESC, id LIMIT 1 BY project, session, about) AS told \
      ANY LEFT JOIN (\(ends.sql)) AS told_ends USING (project, session, revision)
      """
    }
  }

  /// How revisions of sessions ended, by the first word that said so.
  private func ends(_ range: [SQL]) -> SeenSQL {
    var rows = DistinctRows(
      TelemetryTables.summaries, ["project", "session", "launch", "id", "same_as", "ending"])
    rows.range = ["isNotNull(same_as)"] + range
    let distinct = distinct(
      rows,
      selecting: [
        "project", "session", "assumeNotNull(same_as) AS revision", "launch", "id", "ifNull(ending, '') AS own_ending",
      ])
    return distinct.inside { rows in
      """
      SELECT project, session, revision, argMin(own_ending, id) AS said_ending, argMin(launch, id) AS said_by \
      FROM (\(rows)) GROUP BY project, session, revision
      """
    }
  }
}
