/// What every route takes and answers, as data: `GET /openapi.json` is made of it.
///
/// **A new route** needs one `Operation` here, or a test says so and names it:
///
/// 1. Take the file of its subject in `Subjects/`, or write one; a new subject goes into ``subjects(_:)``.
/// 2. Add the operation, with the path exactly as the route was added:
///
///        .get(
///          "/api/alerts/{id}", "getAlert", "One rule, and when it fired last.", takes: [.number],
///          answers: [.json(.named("Alert"))], refuses: [.unknown("no_alert", "no rule with this number")])
///
/// 3. Describe what comes back, member by member: ``Member/has(_:_:_:)`` is always there, ``Member/may(_:_:_:)`` is not. What
///    two answers share is a schema of the subject's `schemas`, and `.named("Alert")` means it.
/// 4. Ask for it in a file of `Collector/Tests/API`, `reading.py` for one: that test calls each operation on a real
///    recording, and refuses a member that is not described.
///
/// Who may use a route, and the refusals that follow from that and from a body, come by themselves.
enum APIDescription {
  static func subjects(_ limits: CollectorLimits) -> [Subject] {
    [
      sessions, events(limits), issues, issueChanges, reports, symbols(limits), network, replays, users, health,
      spans, searches, settings, alerts, forwarders, projects, signIn, audit, erasures, redactions, control, asks,
      agents,
      ingest(limits),
      replayIngest(limits),
      openTelemetry(limits), service,
    ]
  }

  /// As the viewer's files are asked for; OpenAPI has no word for the rest of a path.
  static let anyFile = "/**"

  /// Routes that are not described, and descriptions without a route: each in words that say what to write.
  static func problems(_ routes: [Route], _ subjects: [Subject]) -> [String] {
    let operations = subjects.flatMap(\.operations)
    let described = Set(operations.map { "\($0.method) \($0.path)" })
    let known = Set(routes.map { "\($0.method) \($0.path)" })
    let missing = routes.filter { !described.contains("\($0.method) \($0.path)") }.map { route in
      """
      \(route.method) \(route.path) is not described. Add to a subject in API/Description/Subjects: \
      .\(route.method.lowercased())("\(route.path)", "<name for clients>", "<what it does>.", answers: [.json(…)])
      """
    }
    let left = operations.filter { !known.contains("\($0.method) \($0.path)") }.map {
      "\($0.method) \($0.path) (\($0.name)) is described, and there is no such route: take it out of API/Description/Subjects"
    }
    let doubled = Dictionary(grouping: operations, by: \.name).filter { $0.value.count > 1 }.keys.sorted().map {
      "“\($0)” is the name of two operations: clients know them by it"
    }
    return missing + left + doubled + unknownSchemas(subjects)
  }

  private static func unknownSchemas(_ subjects: [Subject]) -> [String] {
    let names = Set((shared + subjects.flatMap(\.schemas)).map(\.name))
    let document = OpenAPIDocument.components(subjects, [])
    let used = subjects.flatMap(\.operations).flatMap { OpenAPIDocument.references(in: OpenAPIDocument.body(of: $0)) }
    return Set(used + OpenAPIDocument.references(in: document)).subtracting(names).sorted().map {
      "“\($0)” is no schema: add .init(\"\($0)\", .object([…])) to the schemas of its subject"
    }
  }
}
