/// Event types as the index numbers them: those that are known are numbered whatever else there is, others get theirs as
/// they come.
enum EventTypes {
  static let known = [
    "navigation", "handled_exception", "crash", "hang", "network_request", "websocket_frame", "log", "lifecycle",
    "custom", "notification_action", "view_body_snapshot", "broadcast", "interaction", "storage_changed", breadcrumb,
    "span", summary,
  ]
  /// Breadcrumbs that the app added itself. They stand in the timeline, but are not counted as events.
  static let breadcrumb = "breadcrumb"
  /// What a device says of a session whose events stay with it. Nothing that happened in the session, so it is not counted there.
  static let summary = "session_summary"

  /// Whether a person looking for trouble wants to see this event: crashes, hangs, handled exceptions, logs from
  /// error upwards, requests that failed.
  static func isError(_ type: String, _ fields: EventFields) -> Bool {
    switch type {
    case "crash", "hang", "handled_exception": true
    case "log": (fields.logLevel ?? 0) >= 4
    case "network_request": fields.outcome.hasFailed
    default: false
    }
  }
}

extension Collector {
  /// The types of events that the SDK records.
  public static var eventTypes: [String] { EventTypes.known }
}
