/// The rows of a process in a trace, from top to bottom.
enum TraceTrack: Int64, CaseIterable, Sendable {
  case screens = 1
  case hangs, frames, errors, interactions, logs, custom, breadcrumbs, webSockets, storage, views, system, other
  /// What overlaps has rows by its names; these are only where it says that it comes from.
  case requests, spans, visits, launch

  var name: String {
    switch self {
    case .screens: "Screens"
    case .hangs: "Hangs"
    case .frames: "Late frames"
    case .errors: "Errors"
    case .interactions: "Interactions"
    case .logs: "Logs"
    case .custom: "Events"
    case .breadcrumbs: "Breadcrumbs"
    case .webSockets: "WebSockets"
    case .storage: "Storage"
    case .views: "View bodies"
    case .system: "System"
    case .other: "Other events"
    case .requests: "Requests"
    case .spans: "Spans"
    case .visits: "Frames by screen"
    case .launch: "Launch"
    }
  }

  /// The row of an event that is a moment.
  init(moment type: String) {
    switch type {
    case "crash", "handled_exception": self = .errors
    case "interaction": self = .interactions
    case "log": self = .logs
    case "custom": self = .custom
    case EventTypes.breadcrumb: self = .breadcrumbs
    case "websocket_frame": self = .webSockets
    case "storage_changed": self = .storage
    case "view_body_snapshot": self = .views
    case "lifecycle", "notification_action", "broadcast": self = .system
    default: self = .other
    }
  }
}
