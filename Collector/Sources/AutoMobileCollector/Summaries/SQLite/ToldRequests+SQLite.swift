import GRDB

extension ToldRequests {
  init(_ filter: HealthFilter, _ database: Database, most: Int = Self.most) throws {
    let here = try database.cachedStatement(
      sql: """
        SELECT \(Self.status), COUNT(*) FROM \(IndexedRows.network(by: "network_session"))
        WHERE network.session = ? GROUP BY 1
        """)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT session.id, bundleId, appVersion, requests, told FROM session
          CROSS JOIN session_summary ON session_summary.session = session.id
        WHERE session.last >= ? AND session.last < ? AND told > 0 AND requests <> '{}'
        ORDER BY session.last DESC, session.id DESC
        """, arguments: [filter.from, filter.to])
    var sessions = 0
    var open: (session: Int64, version: AppVersion, told: [String: Int64])?
    func close() throws {
      guard let (session, version, told) = open else { return }
      var known: [String: Int64] = [:]
      for row in try Row.fetchAll(here, arguments: [session]) {
        let (status, count): (String, Int64) = (row[0], row[1])
        known[status] = count
      }
      add(version, told: told, here: known)
    }
    while let row = try rows.next() {
      guard filter.admits(app: row[1], version: row[2]) else { continue }
      let session: Int64 = row[0]
      let told = ToldSession.counts(row[3])
      if open?.session == session {
        open?.told.merge(told, uniquingKeysWith: +)
      } else {
        try close()
        guard sessions < most else {
          isPartial = true
          open = nil
          break
        }
        sessions += 1
        open = (session, AppVersion(row[1], row[2]), told)
      }
    }
    try close()
  }

  /// As summaries call it.
  private static let status = "IIF(status BETWEEN 100 AND 999, (status / 100) || 'xx', 'none')"
}
