import GRDB
import Hummingbird

/// `/api/erasures`: one user's, device's or session's data is erased, and what came of it.
struct ErasureRoutes: Sendable {
  let erasures: Erasures
  let bodies: SmallBodies

  func add(to routes: RouteTable) {
    routes.get("/api/erasures", for: .projectOperator) { request, context, scope in
      try await list(request, context, scope)
    }
    routes.post("/api/erasures", for: .projectOperator) { request, context, scope in
      try await begin(request, context, scope)
    }
    routes.get("/api/erasures/{id}", for: .projectOperator) { _, context, scope in
      let id = try context.number
      guard let erasure = try await erasures.store.pool.read({ try Erasure.one(id, in: $0) }), sees(erasure, scope)
      else {
        throw Self.unknown
      }
      var json = JSONOutput()
      json.object { erasure.writeMembers(to: &$0) }
      return json.response()
    }
  }

  private static var unknown: APIError { APIError(.notFound, "no_erasure", "there is no erasure of this number") }

  /// What was erased of all projects tells of all.
  private func sees(_ erasure: Erasure, _ scope: OperatorScope) -> Bool {
    erasure.project.map { scope.reading.sees($0) } ?? scope.reading.seesEverything
  }

  private func begin(_ request: Request, _ context: CollectorContext, _ scope: OperatorScope) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    let project = body["project"]?.string
    let subject = try ErasureSubject({ body[$0.rawValue]?.string }, project: project)
    let reason = try subject.checked(reason: body["reason"]?.string ?? "")
    try allow(project, scope)
    if body["dryRun"]?.bool == true {
      let found = try await erasures.preview(subject)
      context.audit.set(thing: "erasure, tried")
      return JSONOutput.ok {
        $0.member("dryRun", true)
        $0.member("sessions", Int64(found.sessions))
        $0.object("rows") {
          for (name, count) in found.counts.sorted(by: { $0.key < $1.key }) { $0.member(name, count) }
        }
      }
    }
    let erasure = try await erasures.begin(subject, reason: reason, by: context.author(request))
    context.audit.set(thing: "erasure \(erasure.id)")
    return JSONOutput.ok {
      $0.member("id", erasure.id)
      $0.member("sessions", erasure.counts["sessions"] ?? 0)
    }
  }

  /// An operator of one project erases what is of this one.
  private func allow(_ project: String?, _ scope: OperatorScope) throws {
    if let project {
      try ConfigurationRules.checkBundle(project)
      try scope.check(project)
    } else if !scope.reading.seesEverything {
      throw APIError(.forbidden, "project_only", "name the project: you decide in some projects only")
    }
  }

  private func list(_ request: Request, _ context: CollectorContext, _ scope: OperatorScope) async throws -> Response {
    // Not whom it was about.
    context.audit.set(thing: "erasures")
    let before = try request.parameter("before").map { try PageCursor($0).id }
    let limit = try request.limit(default: 50)
    let subject =
      try ErasureSubject.Kind.allCases.contains { request.parameter($0.rawValue) != nil }
      ? ErasureSubject({ request.parameter($0.rawValue) }, project: request.parameter("project")) : nil
    let page = try await erasures.store.pool.read { database -> [Erasure] in
      guard let subject else { return try Erasure.page(subject: nil, before: before, limit: limit, in: database) }
      guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM erasure_key)") == true else { return [] }
      let hash = try ErasureMarks.subject(subject, in: database)
      return try Erasure.page(subject: hash, before: before, limit: limit, in: database)
    }
    var json = JSONOutput()
    json.object {
      $0.array("erasures") {
        for erasure in page where sees(erasure, scope) { $0.object { erasure.writeMembers(to: &$0) } }
      }
      $0.member("next", page.count == limit ? page.last.map { PageCursor(key: 0, id: $0.id).text } : nil)
    }
    return json.response()
  }
}

extension Erasure {
  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.member("id", id)
    json.member("kind", kind.rawValue)
    json.member("subject", "hmac-sha256:" + subject)
    json.member("project", project)
    json.member("reason", reason)
    json.member("requestedAt", requestedAt)
    json.member("requestedBy", requestedBy)
    json.member("step", step.rawValue)
    json.member("sessions", counts["sessions"] ?? 0)
    json.member("events", counts["event"] ?? 0)
    json.member("problem", problem)
    json.member("finishedAt", finishedAt)
    json.member("marksEnd", marksEnd)
    json.member("receipt", receipt)
    json.member("sha256", sha256)
  }
}
