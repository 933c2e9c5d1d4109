/// How events of a type are said in OpenTelemetry's words. The table in Documentation/OpenTelemetry.md is this list, which a test
/// compares.
struct OutgoingRule: Sendable {
  enum Signal: String, Sendable { case log, span }

  /// What becomes of a member.
  enum Target: Sendable, Equatable {
    case attribute(String)
    /// Rounded to an integer.
    case whole(String)
    /// Of milliseconds.
    case seconds(String)
    /// Of an object each member, as a list of one text.
    case headers(String)
    /// Of an object each member, by its own name.
    case members
    case body, severity, name
    /// Times, ids, parent, kind and status: a span has places for them.
    case span

    var words: String {
      switch self {
      case .attribute(let name): "`\(name)`"
      case .whole(let name): "`\(name)` (integer)"
      case .seconds(let name): "`\(name)` (seconds)"
      case .headers(let prefix): "`\(prefix)NAME`"
      case .members: "attributes of these names"
      case .body: "the body"
      case .severity: "the severity"
      case .name: "the name"
      case .span: "the span's own"
      }
    }
  }

  var type: String
  var signal = Signal.log
  /// The record's name; nil: it has none, or one of its own.
  var event: String?
  /// OpenTelemetry's number, where the event does not say it.
  var severity = 9
  var members: [(name: String, target: Target)] = []

  /// For types that no rule is about.
  init(other type: String) {
    self.type = type
    event = "automobile.\(type)"
  }

  private init(
    _ type: String, _ event: String?, signal: Signal = .log, severity: Int = 9, _ members: [(String, Target)] = []
  ) {
    self.type = type
    self.signal = signal
    self.event = event
    self.severity = severity
    self.members = members.map { (name: $0.0, target: $0.1) }
  }

  func target(of member: some StringProtocol) -> Target? { members.first { $0.name == member }?.target }

  // MARK: The list

  static let all: [OutgoingRule] = [
    OutgoingRule("navigation", EventNames.screenView, [("destination", .attribute(EventNames.screenName))]),
    OutgoingRule("lifecycle", EventNames.lifecycle, [("state", .attribute("ios.app.state"))]),
    OutgoingRule(
      "interaction", EventNames.screenClick,
      [
        ("properties.x", .whole("app.screen.coordinate.x")), ("properties.y", .whole("app.screen.coordinate.y")),
        ("properties.accessibilityIdentifier", .attribute("app.widget.id")),
        ("properties.text", .attribute("app.widget.name")), ("properties.screen", .attribute(EventNames.screenName)),
      ]),
    OutgoingRule("log", nil, [("message", .body), ("level", .severity), ("attributes", .members)]),
    OutgoingRule("custom", nil, [("name", .name), ("message", .body), ("properties", .members)]),
    OutgoingRule("crash", EventNames.crash, severity: 21, exception),
    OutgoingRule("handled_exception", EventNames.exception, severity: 17, exception + [("customMessage", .body)]),
    OutgoingRule(
      "hang", EventNames.hang, severity: 17,
      [
        ("durationMs", .seconds(EventNames.hangDuration)), ("stackTrace", .attribute("code.stacktrace")),
        ("currentScreen", .attribute(EventNames.screenName)),
      ]),
    OutgoingRule(
      "network_request", nil, signal: .span,
      [
        ("method", .attribute("http.request.method")), ("url", .attribute("url.full")),
        ("host", .attribute("server.address")), ("path", .attribute("url.path")),
        ("statusCode", .whole("http.response.status_code")), ("error", .attribute("error.type")),
        ("requestBodySize", .whole("http.request.body.size")),
        ("responseBodySize", .whole("http.response.body.size")),
        ("requestHeaders", .headers("http.request.header.")), ("responseHeaders", .headers("http.response.header.")),
        ("durationMs", .span), ("traceparent", .span), ("traceId", .span), ("spanId", .span), ("parentSpanId", .span),
        ("spanName", .name), ("attributes", .members),
      ]),
    OutgoingRule(
      "span", nil, signal: .span,
      [
        ("name", .name), ("durationMs", .span), ("traceId", .span), ("spanId", .span), ("parentSpanId", .span),
        ("kind", .span), ("status", .span), ("statusMessage", .span), ("attributes", .members),
      ]),
  ]

  private static let exception: [(String, Target)] = [
    ("errorDomain", .attribute("exception.type")), ("errorMessage", .attribute("exception.message")),
    ("stackTrace", .attribute("exception.stacktrace")), ("currentScreen", .attribute(EventNames.screenName)),
    ("report.reportId", .attribute("app.crash.id")),
  ]

  private static let byType = Dictionary(uniqueKeysWithValues: all.map { ($0.type, $0) })

  static func rule(for type: String) -> OutgoingRule { byType[type] ?? OutgoingRule(other: type) }

  /// The types that become spans.
  static let spanTypes = all.filter { $0.signal == .span }.map(\.type)

  /// What of an event is said by its record itself, or by its resource.
  static let passedOver: [StaticString] = [
    "eventType", "timestamp", "contextId", "context", "sessionId", "replayId", "bundleId", "appVersion", "deviceInfo",
  ]

  /// The list as it stands in the documentation.
  static var table: String {
    let rows = all.map { rule in
      let members = rule.members.map { "`\($0.name)` → \($0.target.words)" }.joined(separator: "; ")
      let name = rule.event.map { "`\($0)`" } ?? "–"
      return "| `\(rule.type)` | \(rule.signal.rawValue) | \(name) | \(members) |"
    }
    let head = ["| event | becomes | its name | members |", "|---|---|---|---|"]
    return (head + rows).joined(separator: "\n")
  }
}
