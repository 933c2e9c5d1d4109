import AutoMobileClickHouse
import Foundation

/// Spans, put together of the rows that tell of their begins and ends: the first of either counts, as in SQLite's index, and what the end
/// says counts before what the begin says.
///
/// A span ends in another session than it began in when the app was away meanwhile, so its rows are on two shards: they are put
/// together where the question is asked. It is of the session in which it began, as far as that is known.
struct ClickHouseSpanStatements {
  let reading: ClickHouseReading

  /// - Parameter newer: only those of which an event after the one of this number tells.
  func ofSession(_ session: SessionName, newer: Int64?, after: PageCursor?, limit: Int) -> SeenSQL {
    let named = reading.copies("project, trace, span", of: TelemetryTables.spans, session.range)
    var conditions = session.range
    if let newer { conditions.append("greatest(begun, ended) > \(newer)") }
    return page(["(project, trace, span) GLOBAL IN (\(named.sql))"], conditions, after, limit)
  }

  /// - Parameter trace: whatever session and app its spans are of.
  func ofTrace(_ trace: TraceName, after: PageCursor?, limit: Int) -> SeenSQL {
    page(["trace = \(text: trace.text)"], [], after, limit)
  }

  /// The requests of a trace, the first ones.
  func requests(of trace: TraceName) -> SeenSQL {
    var rows = DistinctRows(TelemetryTables.requests, NetworkRow.names + ["span", "parent"])
    rows.range = ["trace = \(text: trace.text)"]
    rows.order = ["timestamp", "id"]
    rows.limit = TracedRequest.most
    return reading.distinct(rows, selecting: rows.columns.map { "\($0)" })
  }

  private func page(_ range: [SQL], _ conditions: [SQL], _ after: PageCursor?, _ limit: Int) -> SeenSQL {
    var conditions = conditions
    if let after {
      conditions.append("at > \(after.key) OR at = \(after.key) AND number > \(after.id)")
    }
    let narrowed: SQL = conditions.isEmpty ? "" : " WHERE \(ClickHouseTerms.all(conditions))"
    return merged(range).inside { merged in
      """
      SELECT number, trace, span, own_parent, at, lasted, called, sort, outcome, said, begun, ended, project, session, \
      told_session FROM (SELECT *, its_session AS session FROM (\(merged)))\(narrowed) ORDER BY at, number LIMIT \(count: limit)
      """
    }
  }

  /// 0 stands for no number, and a text for none: functions that choose one value of many pass over NULL, and would take the value
  /// of another row. `told` sorts rows so that an end comes first, `began` so that a begin does.
  private func merged(_ range: [SQL]) -> SeenSQL {
    var rows = DistinctRows(
      TelemetryTables.spans,
      [
        "project", "session", "trace", "span", "parent", "timestamp", "duration", "name", "kind", "status", "message",
        "id",
      ])
    rows.range = range
    let away: SQL = "\(Int64(1) << 53)"
    let distinct = reading.distinct(
      rows,
      selecting: [
        "project", "session", "trace", "span", "ifNull(parent, 0) AS its_parent", "timestamp",
        "ifNull(duration, -1) AS took", "name", "kind", "status",
        "if(isNull(message), '', concat('=', ifNull(message, ''))) AS its_message", "id",
        "id + if(isNull(duration), \(away), 0) AS told", "id + if(isNull(duration), 0, \(away)) AS began",
      ])
    return distinct.inside { distinct in
      """
      SELECT project, trace, span, min(id) AS number, argMin(its_parent, told) AS own_parent, \
      argMin(timestamp, told) AS at, argMin(took, told) AS lasted, argMin(name, told) AS called, \
      argMin(kind, told) AS sort, argMin(status, told) AS outcome, argMin(its_message, told) AS said, \
      if(countIf(took < 0) = 0, 0, minIf(id, took < 0)) AS begun, \
      if(countIf(took >= 0) = 0, 0, minIf(id, took >= 0)) AS ended, \
      argMin(session, began) AS its_session, argMin(session, told) AS told_session \
      FROM (\(distinct)) GROUP BY project, trace, span
      """
    }
  }
}
