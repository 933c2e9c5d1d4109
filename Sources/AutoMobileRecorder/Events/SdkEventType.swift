/// The kinds of events, by the names that they have in JSON.
public enum SdkEventType: String, Codable, Sendable, CaseIterable {
  case navigation
  case handledException = "handled_exception"
  case crash
  case hang
  case networkRequest = "network_request"
  case webSocketFrame = "websocket_frame"
  case log
  case lifecycle
  case custom
  case notificationAction = "notification_action"
  case viewBodySnapshot = "view_body_snapshot"
  case broadcast
  case interaction
  case storageChanged = "storage_changed"
  case span
  case sessionSummary = "session_summary"
}
