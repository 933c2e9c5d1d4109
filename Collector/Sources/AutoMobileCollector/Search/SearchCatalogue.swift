/// The fields of each domain, in the order in which they are offered.
enum SearchCatalogue {
  static func fields(_ domain: SearchDomain) -> [SearchField] {
    switch domain {
    case .sessions: sessions
    case .requests: requests
    case .events: events
    case .issues: issues
    }
  }

  /// By its name or another name that it has, whatever the case.
  static func field(_ name: String, in domain: SearchDomain) -> SearchField? {
    byName[domain]?[name.lowercased()]
  }

  private static let byName = Dictionary(
    uniqueKeysWithValues: SearchDomain.allCases.map { domain in
      let pairs = fields(domain).flatMap { field in
        ([field.name] + field.aliases).map { ($0.lowercased(), field) }
      }
      return (domain, Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    })

  // MARK: What all share

  private static let user = SearchField(
    name: "user", kind: .name, summary: "User", example: "user:mira", aliases: ["userId"], hasValues: true)
  private static let app = SearchField(
    name: "app", kind: .name, summary: "App, by bundle id or the last part of it", example: "app:coffeeshop",
    aliases: ["bundleId"], hasValues: true)
  private static let version = SearchField(
    name: "version", kind: .version, summary: "App version", example: "version:2.4", aliases: ["appVersion"],
    hasValues: true)
  private static let device = SearchField(
    name: "device", kind: .name, summary: "Device model", example: "device:iPhone16,2", aliases: ["model"],
    splitsAtCommas: false, hasValues: true)
  private static let os = SearchField(
    name: "os", kind: .name, summary: "Operating system and version", example: "os:\"iOS 18.1\"", aliases: ["system"],
    hasValues: true)
  private static let tag = SearchField(
    name: "tag", kind: .text, summary: "Tag of the session, as name=value", example: "tag:plan=pro",
    aliases: ["tags"], splitsAtCommas: false, hasValues: true)
  private static let session = SearchField(
    name: "session", kind: .name, summary: "Session id", example: "session:3F2A", aliases: ["sessionId"],
    splitsAtCommas: false)
  private static let duration = SearchField(
    name: "duration", kind: .number(.duration), summary: "How long it took", example: "duration:>1s",
    aliases: ["took"])
  private static let status = SearchField(
    name: "status", kind: .status, summary: "Response status: a code, a class, none or unfinished",
    example: "status:>=500", aliases: ["code", "statusCode"])
  private static let method = SearchField(
    name: "method", kind: .name, summary: "HTTP method", example: "method:POST", hasValues: true)
  private static let host = SearchField(
    name: "host", kind: .name, summary: "Host; * stands for anything", example: "host:api.example.com", hasValues: true)
  private static let path = SearchField(
    name: "path", kind: .text, summary: "Path of the URL; * stands for anything", example: "path:/v1/orders/*",
    splitsAtCommas: false)
  private static let url = SearchField(
    name: "url", kind: .text, summary: "Any part of the URL", example: "url:/v1/checkout", splitsAtCommas: false)

  // MARK: Sessions

  static let ends = [
    "clean_exit", "crash", "hang_kill", "out_of_memory", "user_kill", "updated", "rebooted", "debugger", "unknown",
    "none",
  ]

  private static let sessions: [SearchField] = [
    user, app, version, device, os,
    SearchField(
      name: "has", kind: .choice(["crash", "hang", "error", "failed", "request", "replay", "issue", "live"]),
      summary: "Sessions that contain this", example: "has:crash", aliases: ["is"]),
    SearchField(
      name: "screen", kind: .text, summary: "A screen that was visited", example: "screen:checkout",
      splitsAtCommas: false, hasValues: true),
    tag,
    SearchField(
      name: "url", kind: .text, summary: "Words of a request’s URL", example: "url:checkout", splitsAtCommas: false),
    SearchField(
      name: "message", kind: .text, summary: "Words of a log, an error or a custom event",
      example: "message:\"card declined\"", splitsAtCommas: false),
    SearchField(
      name: "issue", kind: .text, summary: "An issue: words of its title, or its id", example: "issue:payment",
      splitsAtCommas: false),
    SearchField(
      name: "status", kind: .status, summary: "Sessions with a request of this status", example: "status:5xx"),
    SearchField(
      name: "type", kind: .name, summary: "Sessions with an event of this type", example: "type:storage_changed",
      hasValues: true),
    SearchField(
      name: "ended", kind: .choice(ends), summary: "How the last launch ended", example: "ended:out_of_memory",
      hasValues: true),
    SearchField(
      name: "duration", kind: .number(.duration), summary: "Length of the session", example: "duration:>5m",
      aliases: ["length"]),
    SearchField(name: "events", kind: .number(.count), summary: "Number of events", example: "events:>100"),
    SearchField(name: "errors", kind: .number(.count), summary: "Number of errors", example: "errors:>0"),
    session,
    SearchField(
      name: "launch", kind: .name, summary: "Launch id", example: "launch:6B0C", aliases: ["launchId"],
      splitsAtCommas: false),
  ]

  // MARK: Requests

  private static let requests: [SearchField] = [
    status, method, host, path, url, duration,
    SearchField(
      name: "has", kind: .choice(["error", "failed", "mock", "tracer", "response"]),
      summary: "Requests that contain this", example: "has:error", aliases: ["is"]),
    SearchField(
      name: "size", kind: .number(.bytes), summary: "Bytes received", example: "size:>100KB", aliases: ["received"]),
    SearchField(name: "sent", kind: .number(.bytes), summary: "Bytes sent", example: "sent:>1MB"),
    SearchField(
      name: "error", kind: .text, summary: "What the error says", example: "error:\"timed out\"", splitsAtCommas: false),
    SearchField(
      name: "route", kind: .text, summary: "Endpoint, as they are counted", example: "route:/v1/orders/:id",
      aliases: ["endpoint"], splitsAtCommas: false, hasValues: true),
    SearchField(
      name: "tracer", kind: .name, summary: "Tracer ID", example: "tracer:4f1c", aliases: ["tracerId"],
      splitsAtCommas: false, hasValues: true),
    SearchField(
      name: "operation", kind: .name, summary: "GraphQL operation", example: "operation:LoyaltyPoints", hasValues: true),
    SearchField(
      name: "mock", kind: .name, summary: "Name of the mock rule that answered", example: "mock:empty", hasValues: true),
    user, app, version, device, os, tag, session,
  ]

  // MARK: Events

  private static let events: [SearchField] = [
    SearchField(
      name: "type", kind: .name, summary: "Event type", example: "type:log,network_request", aliases: ["eventType"],
      hasValues: true),
    SearchField(
      name: "level", kind: .choice(["debug", "info", "warning", "error", "fatal"]),
      summary: "Severity: this one and worse", example: "level:warning", aliases: ["severity"]),
    SearchField(
      name: "message", kind: .text, summary: "Message of a log, an error or a breadcrumb",
      example: "message:\"card declined\"", splitsAtCommas: false),
    SearchField(
      name: "name", kind: .name, summary: "Name of a custom event or a span", example: "name:checkout_started",
      splitsAtCommas: false, hasValues: true),
    SearchField(
      name: "field", kind: .text, summary: "Metadata, property or attribute, as name=value",
      example: "field:order=R-20",
      aliases: ["metadata", "property", "attribute"], splitsAtCommas: false),
    SearchField(
      name: "screen", kind: .text, summary: "Screen that was gone to, or on which it happened",
      example: "screen:checkout", splitsAtCommas: false, hasValues: true),
    SearchField(
      name: "tag", kind: .text, summary: "Tag of a log, or of the session as name=value", example: "tag:payment",
      splitsAtCommas: false, hasValues: true),
    status, method, host, path, url, duration, user, app, version, device, os, session,
  ]

  // MARK: Issues

  private static let issues: [SearchField] = [
    SearchField(
      name: "kind", kind: .choice(["crash", "hang", "failure"]), summary: "Crash, hang or failure",
      example: "kind:crash"),
    SearchField(
      name: "title", kind: .text, summary: "Message, type and function, as the title says them",
      example: "title:SIGSEGV",
      splitsAtCommas: false),
    SearchField(
      name: "message", kind: .text, summary: "What the error says", example: "message:payment", splitsAtCommas: false),
    SearchField(
      name: "type", kind: .name, summary: "Signal, exception or error type", example: "type:SIGSEGV",
      splitsAtCommas: false, hasValues: true),
    SearchField(
      name: "function", kind: .text, summary: "A function of its stack", example: "function:Cart.total",
      aliases: ["frame"], splitsAtCommas: false),
    SearchField(
      name: "file", kind: .text, summary: "Source file", example: "file:Cart.swift", splitsAtCommas: false,
      hasValues: true),
    SearchField(
      name: "status", kind: .choice(["open", "resolved", "ignored", "regressed"]), summary: "What was decided",
      example: "status:regressed"),
    SearchField(
      name: "assignee", kind: .name, summary: "Who takes care of it", example: "assignee:ada", splitsAtCommas: false,
      hasValues: true),
    SearchField(
      name: "reports", kind: .number(.count), summary: "Number of reports", example: "reports:>10",
      aliases: ["events", "count"]),
    SearchField(
      name: "sessions", kind: .number(.count), summary: "Number of affected sessions", example: "sessions:>5"),
    SearchField(
      name: "issue", kind: .name, summary: "Issue id", example: "issue:4f1c", aliases: ["id"], splitsAtCommas: false),
    user, app, version, device, os, tag, session,
  ]
}
