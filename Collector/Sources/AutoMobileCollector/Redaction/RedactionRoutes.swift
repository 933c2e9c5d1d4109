import Hummingbird

/// `/api/redactions`: what is taken out of what apps send, before anything of it is written.
struct RedactionRoutes: Sendable {
  let store: RedactionStore
  let bodies: SmallBodies

  func add(to routes: RouteTable) {
    routes.get("/api/redactions", for: .projectOperator) { _, _, scope in
      let rules = try await store.list().filter { sees($0, scope) }
      var json = JSONOutput()
      json.object {
        $0.array("rules") { for rule in rules { rule.write(to: &$0) } }
        $0.array("patterns") { for pattern in RedactionPattern.allCases { $0.string(pattern.rawValue) } }
      }
      return json.response()
    }
    routes.post("/api/redactions", for: .projectOperator) { request, context, scope in
      let body = try await bodies.json(request, maximumDepth: 4)
      let project = try project(body, scope)
      let what = try RedactionRule.What(checking: body)
      context.audit.set(thing: "\(what.kind) \(what.value) of \(project ?? "all projects")")
      let id = try await store.add(what, project: project, by: context.author(request), at: WallClock.now)
      return JSONOutput.ok { $0.member("id", id) }
    }
    routes.delete("/api/redactions/{id}", for: .projectOperator) { _, context, scope in
      let id = try context.number
      // Those of all projects are seen by everybody who decides, and removed by who decides everything.
      guard let rule = try await store.rule(id), sees(rule, scope) else {
        throw APIError(.notFound, "no_rule", "there is no rule of this number")
      }
      _ = try allowed(rule.project, scope)
      context.audit.set(thing: "\(rule.what.kind) \(rule.what.value) of \(rule.project ?? "all projects")")
      try await store.remove(id)
      return JSONOutput.ok()
    }
    routes.post("/api/redactions/test", for: .projectOperator) { request, context, scope in
      try await tried(request, context, scope)
    }
  }

  private func sees(_ rule: RedactionRule, _ scope: OperatorScope) -> Bool {
    rule.project.map { scope.reading.sees($0) } ?? true
  }

  private func project(_ body: JSONTree, _ scope: OperatorScope) throws -> String? {
    let project = body["project"].flatMap { $0.isNull ? nil : $0.string }
    if let project { try ConfigurationRules.checkBundle(project) }
    return try allowed(project, scope)
  }

  private func allowed(_ project: String?, _ scope: OperatorScope) throws -> String? {
    if let project {
      try scope.check(project)
    } else if !scope.reading.seesEverything {
      throw APIError(.forbidden, "project_only", "name the project: you decide in some projects only")
    }
    return project
  }

  private func tried(_ request: Request, _ context: CollectorContext, _ scope: OperatorScope) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    let project = body["project"].flatMap { $0.isNull ? nil : $0.string }
    if let project { try scope.check(project) }
    guard let text = body["text"]?.string else {
      throw APIError.badRequest("invalid_text", "send a text, or JSON as a text")
    }
    var others: [RedactionRule.What] = []
    for (list, member) in [("patterns", "pattern"), ("fields", "field")] {
      guard case .array(let names)? = body[list] else { continue }
      others += try names.prefix(RedactionStore.most).map { try RedactionRule.What(checking: .object([member: $0])) }
    }
    context.audit.set(thing: "a text, tried")
    let (redacted, count) = store.tried(text, project: project, beside: others)
    return JSONOutput.ok {
      $0.member("text", redacted)
      $0.member("redacted", count)
    }
  }
}

extension RedactionRule {
  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("project", project)
      $0.member("kind", what.kind)
      $0.member("value", what.value)
      $0.member("createdAt", createdAt)
      $0.member("createdBy", createdBy)
      $0.member("redacted", redacted)
    }
  }
}
