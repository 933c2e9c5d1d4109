import AutoMobileCollector
import Foundation

/// An event in one line: what happened, the particulars, and how bad it is.
struct EventLine {
  enum Tone { case plain, warning, error }

  var type: String
  var title: String
  var detail = ""
  var tone = Tone.plain

  /// - Parameter screen: where the session had come to, as far as that is known.
  init(_ event: JSON, on screen: String? = nil) {
    let payload = event["payload"] ?? .null
    type = event["eventType"]?.text ?? "event"
    title = type
    func text(_ key: String) -> String? { payload[key]?.text }
    switch type {
    case "navigation":
      title = text("destination") ?? "screen"
      detail = Self.pairs(payload["arguments"])
    case "interaction":
      (title, detail) = Self.tap(payload, on: screen)
    case "network_request":
      title = "\(text("method") ?? "GET") \(text("path") ?? text("url") ?? "")"
      let status = payload["statusCode"]?.int
      let duration = payload["durationMs"]?.number.map { Format.duration(milliseconds: $0) }
      let outcome = Self.outcome(payload)
      let word =
        outcome.isUnfinished
        ? "unfinished: the app ended before a response arrived" : outcome.isCancelled ? "cancelled" : "failed"
      detail = [status.map(String.init) ?? word, duration, text("error")].compactMap { $0 }.joined(separator: "  ")
      tone = outcome.hasFailed ? .error : outcome.isUnfinished ? .warning : .plain
    case "log":
      let level = payload["level"]?.int ?? 2
      title = text("message") ?? ""
      detail = text("tag") ?? ""
      tone = level >= 4 ? .error : level == 3 ? .warning : .plain
    case "storage_changed":
      title = text("key") ?? "all keys"
      detail = [text("previousValue"), text("newValue") ?? "removed"].compactMap { $0 }.joined(separator: " → ")
    case "custom":
      (title, detail) = Self.measured(payload) ?? (text("name") ?? "event", Self.pairs(payload["properties"]))
    case "breadcrumb":
      title = text("message") ?? "breadcrumb"
      detail = Self.pairs(payload["metadata"])
    case "session_summary":
      let counts = (payload["events"]?.object ?? [:]).values.compactMap(\.int).filter {
        (0...1_000_000_000).contains($0)
      }
      title =
        payload["sameAs"]?.int.map { "summary as in revision \(Format.count($0))" }
        ?? "summary of \(Format.plural(counts.reduce(0) { $0 &+ $1 }, "event"))"
      detail = [payload["end"]?.string, payload["keptEvents"]?.int.map { "\(Format.count($0)) on the device" }]
        .compactMap(\.self).joined(separator: "  ")
    case "lifecycle":
      title = text("state") ?? "lifecycle"
      detail = Self.pairs(payload["details"])
    case "hang":
      title = "main thread blocked for \(Format.duration(milliseconds: payload["durationMs"]?.number ?? 0))"
      detail = event["culprit"].map { "in \($0.text)" } ?? ""
      tone = .error
    case "crash", "handled_exception":
      title = text("customMessage") ?? text("errorDomain") ?? type
      detail = [event["culprit"].map { "in \($0.text)" }, text("errorMessage")].compactMap { $0 }.joined(
        separator: "  ")
      tone = .error
    default:
      detail = Self.pairs(payload, without: Self.common)
    }
    title = Printable.text(title)
    detail = Printable.text(detail)
    type = Printable.text(type)
  }

  /// Whether it is one of the errors that the collector counts in a session.
  static func isError(_ event: JSON) -> Bool {
    let payload = event["payload"] ?? .null
    switch event["eventType"]?.text {
    case "crash", "hang", "handled_exception": return true
    case "log": return payload["level"]?.int ?? 0 >= 4
    case "network_request": return outcome(payload).hasFailed
    default: return false
    }
  }

  private static func outcome(_ payload: JSON) -> RequestOutcome {
    RequestOutcome(
      status: payload["statusCode"]?.integer, hasError: payload["error"]?.string != nil,
      isCancelled: RequestOutcome.isCancellation(
        domain: payload["errorDomain"]?.string, code: payload["errorCode"]?.integer),
      isUnfinished: payload["unfinished"]?.bool == true)
  }

  /// Members that every event has.
  private static let common: Set = ["eventType", "timestamp", "contextId", "context", "sessionId", "replayId"]

  static func pairs(_ object: JSON?, without: Set<String> = []) -> String {
    (object?.object ?? [:]).filter { !without.contains($0.key) }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value.text)" }.joined(separator: " ")
  }

  /// Beginning with `lead` (a time, and whose event it is) and its number, cut to the console's width.
  func rendered(lead: String, number: String? = nil, _ console: Console) -> String {
    let number = number.map { String(repeating: " ", count: max(0, 6 - $0.count)) + Printable.text($0) } ?? ""
    let lead = number.isEmpty ? lead : lead + "  " + number
    // As long as `notification_action`, the longest of the SDK's own.
    let kind = type.padding(toLength: 19, withPad: " ", startingAt: 0)
    let room = console.width.map { max(6, $0 - DisplayWidth.of(lead) - kind.count - 4) } ?? Int.max
    let title = DisplayWidth.truncated(self.title, to: room)
    let rest = room == Int.max ? Int.max : room - DisplayWidth.of(title) - 2
    let detail = rest > 4 ? DisplayWidth.truncated(self.detail, to: rest) : ""
    let style = console.style
    let shown =
      switch tone {
      case .error: style.red(title)
      case .warning: style.yellow(title)
      case .plain: type == "navigation" ? style.bold(title) : title
      }
    let line = "\(style.dim(lead))  \(paint(style, kind))  \(shown)"
    return detail.isEmpty ? line : "\(line)  \(style.dim(detail))"
  }

  private func paint(_ style: Style, _ text: String) -> String {
    switch type {
    case "navigation": style.blue(text)
    case "interaction", "custom": style.magenta(text)
    case "network_request", "websocket_frame": style.cyan(text)
    case "storage_changed": style.yellow(text)
    case "lifecycle": style.green(text)
    case "crash", "hang", "handled_exception": style.red(text)
    default: style.dim(text)
    }
  }
}
