import GRDB

/// The order of time, wherever events are listed: by the millisecond, and of one millisecond in the order of arrival, which for one
/// launch is that of its sequence. Only a crash is the last of its millisecond: it ended the process, although the launch after
/// it may have delivered it before what the dying one had left behind.
enum EventOrder {
  /// More than there are events.
  private static let crashes: Int64 = 1 << 52

  /// Tells the events of one millisecond apart.
  static let tie = "(event.id + (event.type = (SELECT id FROM event_type WHERE name = 'crash')) * \(crashes))"

  /// What comes after, or before, a cursor: its ``arguments(_:)`` are bound three times over.
  ///
  /// Not a comparison of rows, `(timestamp, tie) > (?, ?)`: with an index on the time SQLite (3.40) leaves out what is of the
  /// cursor's millisecond, since the tie has a query in it.
  static let isAfter = "(event.timestamp >= ? AND (event.timestamp > ? OR \(tie) > ?))"
  static let isBefore = "(event.timestamp <= ? AND (event.timestamp < ? OR \(tie) < ?))"

  static func arguments(_ cursor: PageCursor) -> StatementArguments { [cursor.key, cursor.key, cursor.id] }

  static func cursor(_ row: EventRow) -> PageCursor {
    PageCursor(key: row.timestamp, id: row.id + (row.eventType == "crash" ? crashes : 0))
  }
}
