/// The order of time, wherever events are listed: by the millisecond, and of one millisecond in the order of arrival, which for one
/// launch is that of its sequence. Only a crash is the last of its millisecond: it ended the process, although the launch after
/// it may have delivered it before what the dying one had left behind.
enum EventOrder {
  /// More than there are events.
  static let crashes: Int64 = 1 << 52

  static func cursor(_ row: EventRow) -> PageCursor { cursor(id: row.id, at: row.timestamp, type: row.eventType) }

  static func cursor(id: Int64, at timestamp: Int64, type: String) -> PageCursor {
    PageCursor(key: timestamp, id: id + (type == "crash" ? crashes : 0))
  }
}
