/// An event in one line.
enum EventWords {
  /// Members that say when and where an event was, and stand in front of it.
  private static let common: Set = [
    "eventType", "timestamp", "contextId", "context", "sessionId", "replayId", "report", "stackTrace",
  ]

  static func line(_ event: JSONTree) -> String {
    let payload = event["payload"] ?? .null
    let type = event["eventType"]?.string ?? "event"
    func text(_ name: String) -> String? { payload[name]?.words }
    switch type {
    case "navigation": return "screen \(text("destination") ?? "?") \(pairs(payload["arguments"]))"
    case "interaction": return "\(text("interactionType") ?? "tap") \(pairs(payload["properties"]))"
    case "network_request": return request(payload)
    case "log": return "log \(level(payload)) [\(text("tag") ?? "")] \(text("message") ?? "")"
    case "custom": return "event \(text("name") ?? "") \(pairs(payload["properties"]))"
    case "breadcrumb":
      return "breadcrumb \(text("category") ?? "") \(text("message") ?? "") \(pairs(payload["metadata"]))"
    case "lifecycle": return "lifecycle \(text("state") ?? "") \(pairs(payload["details"]))"
    case "storage_changed":
      return "storage \(text("key") ?? "all keys"): \(text("previousValue") ?? "–") → \(text("newValue") ?? "removed")"
    case "hang":
      return "HANG of the main thread, \(MomentText.duration(payload["durationMs"]?.number ?? 0)) \(culprit(event))"
    case "crash", "handled_exception":
      let name = type == "crash" ? "CRASH" : "ERROR"
      return
        "\(name) \(text("customMessage") ?? text("errorDomain") ?? "") \(text("errorMessage") ?? "") \(culprit(event))"
    default: return "\(type) \(pairs(payload))"
    }
  }

  private static func request(_ payload: JSONTree) -> String {
    let status = payload["statusCode"]?.integer
    let outcome = RequestOutcome(
      status: status, hasError: payload["error"]?.string != nil,
      isCancelled: RequestOutcome.isCancellation(
        domain: payload["errorDomain"]?.string, code: payload["errorCode"]?.integer),
      isUnfinished: payload["unfinished"]?.bool == true)
    let word =
      outcome.isUnfinished
      ? "unfinished: the app ended first"
      : outcome.isCancelled ? "cancelled" : outcome.hasFailed ? "FAILED" : ""
    let parts = [
      "request", payload["method"]?.words ?? "GET", payload["url"]?.words ?? payload["path"]?.words ?? "",
      status.map(String.init) ?? "", word, payload["durationMs"]?.number.map(MomentText.duration) ?? "",
      payload["error"]?.words ?? "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func culprit(_ event: JSONTree) -> String { event["culprit"]?.words.map { "in \($0)" } ?? "" }

  private static func level(_ payload: JSONTree) -> String {
    switch payload["level"]?.integer ?? 2 {
    case ..<2: "debug"
    case 2: "info"
    case 3: "WARNING"
    case 4: "ERROR"
    default: "FATAL"
    }
  }

  static func pairs(_ object: JSONTree?) -> String {
    (object?.members ?? [:]).filter { !common.contains($0.key) && !$0.value.isNull }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value.words ?? "")" }.joined(separator: " ")
  }
}
