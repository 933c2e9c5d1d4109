import Foundation

/// What events are called in a trace: as short as one reads it in a box.
enum TraceTitles {
  /// nil: as its type is.
  static func moment(_ type: String, _ members: TraceMembers) -> String? {
    switch type {
    case "log": members.name("message")
    case "custom", EventTypes.breadcrumb: members.name("name") ?? members.name("message")
    case "interaction": interaction(members)
    case "lifecycle": members.name("state")
    case "crash", "handled_exception": failure(type, members)
    case "websocket_frame": webSocket(members)
    case "storage_changed": members.name("key")
    case "broadcast", "notification_action": broadcast(members)
    default: nil
    }
  }

  private static func interaction(_ members: TraceMembers) -> String {
    let kind = members.name("interactionType") ?? "interaction"
    let properties = members.object("properties")
    let what = properties.flatMap {
      $0.name("text") ?? $0.name("accessibilityLabel") ?? $0.name("accessibilityIdentifier")
    }
    return what.map { "\(kind): \($0)" } ?? kind
  }

  private static func failure(_ type: String, _ members: TraceMembers) -> String {
    let what = members.name("errorDomain") ?? members.name("errorMessage")
    let kind = type == "crash" ? "Crash" : "Failure"
    return what.map { "\(kind): \($0)" } ?? kind
  }

  private static func webSocket(_ members: TraceMembers) -> String? {
    let words = [members.name("direction"), members.name("frameType")].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Notifications of the system have names that say in front of what matters whose they are.
  private static func broadcast(_ members: TraceMembers) -> String? {
    guard let action = members.name("action") ?? members.name("actionId") else { return nil }
    return action == "UIApplicationDidReceiveMemoryWarningNotification" ? "Memory warning" : action
  }

  /// The endpoint and not the address: requests of one name stand in one row. The address is beside it.
  static func request(_ members: TraceMembers) -> String {
    let method = members.name("method") ?? "GET"
    return TraceMembers.name("\(method) \(RequestAddress(url: members.text("url") ?? "").pattern)")
  }

  // MARK: Spans

  /// What a span is known by in its process; what has no ids of its own is nobody's parent.
  static func span(_ members: TraceMembers, _ row: OutgoingRow, process: Int64) -> Data {
    key(members, "spanId", process) ?? withUnsafeBytes(of: row.id.bigEndian) { Data($0) }
  }

  static func parent(_ members: TraceMembers, process: Int64) -> Data? { key(members, "parentSpanId", process) }

  private static func key(_ members: TraceMembers, _ span: StaticString, _ process: Int64) -> Data? {
    guard let trace = members.text("traceId").flatMap({ HexID.bytes($0, count: 16) }),
      let span = members.text(span).flatMap({ HexID.bytes($0, count: 8) })
    else { return nil }
    return trace + span + withUnsafeBytes(of: process.bigEndian) { Data($0) }
  }
}
