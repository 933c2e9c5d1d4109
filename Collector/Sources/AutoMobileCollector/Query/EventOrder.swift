/// The order of time, wherever events are listed: by the millisecond, and of one millisecond in the order of arrival, which for one
/// launch is that of its sequence. Only a crash is the last of its millisecond: it ended the process, although the launch after
/// it may have delivered it before what the dying one had left behind.
enum EventOrder {
  /// More than there are events.
  static let crashes: Int64 = 1 << 52

  static func cursor(_ row: EventRow) -> PageCursor {
    PageCursor(key: row.timestamp, id: row.id + (row.eventType == "crash" ? crashes : 0))
  }
}
