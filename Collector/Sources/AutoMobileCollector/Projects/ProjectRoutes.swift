import Foundation
import Hummingbird

/// `/api/projects` and `/api/keys`. A key itself is given out once, in the answer that makes it.
struct ProjectRoutes: Sendable {
  let projects: ProjectStore
  let settings: SettingStore
  let sessions: any SessionReading
  let meters: DeliveryMeters
  let bodies: SmallBodies

  static let maximumName = 100
  /// How long a key that was rotated stays good when nobody says, and at most: apps update slowly. In days.
  static let graceDays: Int64 = 30
  static let maximumGraceDays: Int64 = 365

  func add(to routes: RouteTable) {
    routes.get("/api/projects", for: .reader) { _, _, scope in try await list(scope) }
    routes.post("/api/projects", for: .operator) { request, context, scope in
      let body = try await bodies.json(request, maximumDepth: 4)
      let bundle = body["bundleId"]?.string ?? ""
      try ConfigurationRules.checkBundle(bundle)
      context.audit.set(thing: bundle)
      let name = try Self.name(body["name"] ?? .string(bundle))
      let id = try await projects.createProject(
        name: name, bundleId: bundle, by: context.author(request), at: WallClock.now)
      return JSONOutput.ok { $0.member("id", id) }
    }
    routes.put("/api/projects/{id}", for: .operator) { request, context, scope in
      let body = try await bodies.json(request, maximumDepth: 4)
      let tracker = try Self.tracker(body)
      guard body["name"] != nil || tracker != nil else {
        throw APIError.badRequest(
          "invalid_project", "send a name, a tracker, or both: {\"name\": \"Shop\", \"tracker\": null}")
      }
      try await projects.set(
        project: context.number, name: body["name"].map { try Self.name($0) }, tracker: tracker)
      return JSONOutput.ok()
    }
    routes.delete("/api/projects/{id}", for: .operator) { _, context, scope in
      try await projects.remove(project: context.number, at: WallClock.now)
      return JSONOutput.ok()
    }
    routes.put("/api/projects/{id}/retention", for: .projectOperator) { request, context, scope in
      try await setDays(request, context, scope)
    }
    routes.post("/api/keys", for: .projectOperator) { request, context, scope in
      try await create(request, context, scope)
    }
    routes.put("/api/keys/{id}", for: .projectOperator) { request, context, scope in
      try checkKey(context.number, scope)
      let name = try Self.name(try await bodies.json(request, maximumDepth: 4)["name"])
      try await projects.rename(key: context.number, to: name)
      return JSONOutput.ok()
    }
    routes.post("/api/keys/{id}/rotate", for: .projectOperator) { request, context, scope in
      try checkKey(context.number, scope)
      let days = try await bodies.json(request, maximumDepth: 4)["graceDays"]?.integer ?? Self.graceDays
      guard (0...Self.maximumGraceDays).contains(days) else {
        throw APIError.badRequest("invalid_graceDays", "graceDays must be from 0 to \(Self.maximumGraceDays)")
      }
      let new = try await projects.rotate(
        key: context.number, graceMilliseconds: days * 86_400_000, by: context.author(request), at: WallClock.now)
      return JSONOutput.ok {
        $0.member("id", new.id)
        $0.member("key", new.secret)
      }
    }
    routes.delete("/api/keys/{id}", for: .projectOperator) { request, context, scope in
      try checkKey(context.number, scope)
      try await projects.end(key: context.number, at: WallClock.now, by: context.author(request))
      return JSONOutput.ok()
    }
  }

  private func setDays(
    _ request: Request, _ context: CollectorContext, _ scope: OperatorScope
  ) async throws -> Response {
    let id = try context.number
    // Others are as unknown as those that there are not.
    guard let bundle = projects.bundle(of: id), scope.reading.sees(bundle) else { throw ProjectStore.noProject(id) }
    let tree = try await bodies.json(request, maximumDepth: 4)
    guard case .object(let members) = tree, let value = members["days"], members.count == 1 else {
      throw APIError.badRequest(
        "invalid_retention", "send {\"days\": 7}; null: as long as the collector keeps everything")
    }
    let days = try ProjectRetention.days(value)
    context.audit.set(thing: "\(bundle), \(days.map { "\($0) days" } ?? "as the collector")")
    try await projects.set(project: id, days: days)
    return JSONOutput.ok { writeDays(days, to: &$0) }
  }

  /// Its own, and those that hold.
  private func writeDays(_ own: Int?, to json: inout JSONOutput) {
    json.member("days", own.map(Int64.init))
    json.member("keptDays", ProjectRetention.kept(own, settings.retention.policy).map(Int64.init))
  }

  /// Has an operator of one project change the keys of apps and viewers of this one only. Others are as unknown as those that
  /// there are not.
  private func checkKey(_ id: Int64, _ scope: OperatorScope) throws {
    guard !scope.decidesEverything else { return }
    guard let key = projects.key(id), let bundle = key.bundleId, scope.reading.sees(bundle) else {
      throw ProjectStore.noKey(id)
    }
    guard key.role != .operator else { throw Self.operatorsKey }
  }

  private static var operatorsKey: APIError {
    APIError(.forbidden, "project_only", "operators' keys are made and changed with a key for all projects")
  }

  private func create(
    _ request: Request, _ context: CollectorContext, _ scope: OperatorScope
  ) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    let roles = AccessKey.Role.allCases.map(\.rawValue).joined(separator: ", ")
    guard let role = AccessKey.Role(rawValue: body["role"]?.string ?? "ingest") else {
      throw APIError.badRequest("invalid_role", "role must be one of \(roles)")
    }
    let project = body["project"]?.integer
    guard project != nil || role != .ingest else {
      throw APIError.badRequest("invalid_project", "an ingest key belongs to a project")
    }
    if !scope.decidesEverything {
      // Whether there is another project is nothing that its answer tells.
      try scope.check(project.flatMap(projects.bundle(of:)))
      guard role != .operator else { throw Self.operatorsKey }
    }
    let name = try Self.name(body["name"] ?? .string(role.rawValue))
    context.audit.set(thing: "\(name) (\(role.rawValue))")
    let (id, secret) = try await projects.createKey(
      project: project, name: name, role: role, by: context.author(request), at: WallClock.now)
    return JSONOutput.ok {
      $0.member("id", id)
      $0.member("key", secret)
    }
  }

  private func list(_ scope: ReadScope) async throws -> Response {
    var (projects, keys) = try await projects.list()
    projects.removeAll { !scope.sees($0.bundleId) }
    keys.removeAll { !scope.sees($0.bundleId) }
    let came = try await sessions.came(fromApps: projects.map(\.bundleId))
    let now = WallClock.now
    func write(_ keys: [AccessKey], to json: inout JSONOutput) {
      json.array("keys") {
        for key in keys {
          $0.object {
            $0.member("id", key.id)
            $0.member("name", key.name)
            $0.member("role", key.role.rawValue)
            $0.member("hint", key.hint)
            $0.member("createdAt", key.createdAt)
            $0.member("lastUsedAt", key.lastUsedAt)
            $0.member("endsAt", key.endsAt)
            $0.member("good", key.isGood(at: now))
            let usage = meters.usage(of: key.id)
            $0.member("requests", usage.requests)
            $0.member("bytes", usage.bytes)
            $0.member("limited", usage.limited)
          }
        }
      }
    }
    var json = JSONOutput()
    json.object {
      $0.array("projects") {
        for project in projects {
          $0.object {
            $0.member("id", project.id)
            $0.member("name", project.name)
            $0.member("bundleId", project.bundleId)
            $0.member("createdAt", project.createdAt)
            let its = came[project.bundleId] ?? AppSessions()
            $0.member("sessions", its.count)
            $0.member("received", its.received)
            $0.member("tracker", project.tracker)
            writeDays(project.days, to: &$0)
            write(keys.filter { $0.project == project.id }, to: &$0)
          }
        }
      }
      write(keys.filter { $0.project == nil }, to: &$0)
    }
    return json.response()
  }

  /// Where issues are opened elsewhere: nothing when the body does not speak of it, nil to have none any more.
  private static func tracker(_ body: JSONTree) throws -> String?? {
    guard let value = body["tracker"] else { return nil }
    return .some(value.isNull ? nil : try TrackerTemplate(checking: value.string ?? "").text)
  }

  private static func name(_ value: JSONTree?) throws -> String { try Name.checked(value, longest: maximumName) }
}

extension CollectorContext {
  /// The path's `{id}`, of a project, a key or a search.
  var number: Int64 {
    get throws {
      guard let id = parameters.get("id").flatMap({ Int64($0) }) else {
        throw APIError.badRequest("invalid_id", "the id of a project, key or search must be a number")
      }
      return id
    }
  }
}
