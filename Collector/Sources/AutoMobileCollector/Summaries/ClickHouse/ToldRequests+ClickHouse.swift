import AutoMobileClickHouse
import Foundation

extension ToldRequests {
  init(_ filter: HealthFilter, _ reading: ClickHouseReading, most: Int = Self.most) async throws {
    self.init()
    let isAsked = ClickHouseSessionTerms.has(
      "said_last >= \(filter.from) AND said_last < \(filter.to)", reading)
    let conditions = ClickHouseTerms.all(["requests != '{}'"] + filter.app(bundle: "bundle", version: "version"))
    // One more than is counted says that there are more.
    let told = reading.toldSessions([isAsked]).inside { told in
      """
      SELECT project, session, argMax(bundle, ended), argMax(version, ended), groupArray(requests), max(ended) AS newest \
      FROM (\(told)) WHERE \(conditions) GROUP BY project, session ORDER BY newest DESC LIMIT \(count: most + 1)
      """
    }
    let sessions = try await reading.rows(told) { row in
      let session = SessionFact.Name(project: try row.string(), session: try row.string())
      let version = AppVersion(try row.string(), try row.string())
      let counts = try row.array { ToldSession.counts(try $0.string()) }
      _ = try row.int(Int64.self)
      return (session: session, version: version, told: counts.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) })
    }
    isPartial = sessions.count > most
    guard !sessions.isEmpty else { return }
    let here = try await Self.here(isAsked, reading)
    for one in sessions.prefix(most) { add(one.version, told: one.told, here: here[one.session] ?? [:]) }
  }

  /// The requests that are here of sessions that were told of, by their status as summaries call it.
  private static func here(
    _ isAsked: SQL, _ reading: ClickHouseReading
  ) async throws -> [SessionFact.Name: [String: Int64]] {
    let told = reading.copies(
      "project, session", of: TelemetryTables.summaries, ["requests != '{}'"], isOnShard: true)
    var rows = DistinctRows(TelemetryTables.requests, ["project", "session", "status"])
    rows.range = ["(project, session) IN (\(told.sql))", isAsked]
    let statement = reading.distinct(rows).inside { rows in
      """
      SELECT project, session, \
      if(ifNull(status, 0) >= 100 AND ifNull(status, 0) <= 999, concat(toString(intDiv(ifNull(status, 0), 100)), 'xx'), 'none') \
      AS name, count() FROM (\(rows)) GROUP BY project, session, name
      """
    }
    let found = try await reading.rows(statement) { row in
      (
        session: SessionFact.Name(project: try row.string(), session: try row.string()), status: try row.string(),
        count: Int64(clamping: try row.int(UInt64.self))
      )
    }
    return found.reduce(into: [:]) { $0[$1.session, default: [:]][$1.status] = $1.count }
  }
}
