import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /sdk-config` for apps, `/api/config/…` for whoever decides what they do.
struct ConfigurationRoutes: Sendable {
  let store: ConfigurationStore
  let asks: Asks
  let held: HeldQuestions
  private let dryRuns: any DryRunReading
  let bodies: SmallBodies

  init(
    store: ConfigurationStore, asks: Asks, held: HeldQuestions, dryRuns: any DryRunReading, limits: CollectorLimits
  ) {
    (self.store, self.asks, self.held, self.dryRuns) = (store, asks, held, dryRuns)
    bodies = SmallBodies(limits, bytes: ConfigurationRules.maximumSize)
  }

  func add(to routes: RouteTable) {
    routes.get("/sdk-config", for: .ingest) { request, _, scope in try tell(request, scope) }
    routes.get("/api/config", for: .reader) { _, _, scope in list(scope) }
    routes.get("/api/config/{bundle}", for: .reader) { _, context, scope in
      answer(store.document(of: try Self.bundle(context, scope)))
    }
    routes.get("/api/config/{bundle}/history", for: .reader) { request, context, scope in
      let changes = try await store.history(of: Self.bundle(context, scope), limit: request.limit(default: 20))
      var json = JSONOutput()
      json.object { $0.array("changes") { for change in changes { $0.object { change.write(to: &$0) } } } }
      return json.response()
    }
    routes.put("/api/config/{bundle}", for: .projectOperator) { request, context, scope in
      try await put(request, try Self.bundle(context, scope.reading), context)
    }
    // Stores nothing.
    routes.post("/api/config/{bundle}/try", for: .reader) { request, context, scope in
      try await tryRules(request, try Self.bundle(context, scope), scope)
    }
  }

  /// The path's app.
  ///
  /// - Throws: ``APIError`` 403 when it is outside of what may be seen, whether or not there is a document.
  private static func bundle(_ context: CollectorContext, _ scope: ReadScope) throws -> String {
    let bundle = try context.bundle
    guard scope.sees(bundle) else {
      throw APIError(.forbidden, "other_project", "this key is for another project")
    }
    return bundle
  }

  /// The document that holds for an app, with what is asked of it; 304 when it has it already.
  private func tell(_ request: Request, _ scope: AppScope) throws -> Response {
    let asker = Asker(request)
    let app = try scope.app(request.parameter("bundleId"))
    let (effective, asked) = asks.effective(of: app, asker: asker)
    asks.noteTold(asked)
    let tag = "\"\(effective.tag)\""
    var headers: HTTPFields = [
      .eTag: tag, .cacheControl: "no-store", .contentType: "application/json; charset=utf-8",
    ]
    headers[.xAutoMobileConfig] = effective.tag
    if asker != nil { headers[.xAutoMobileListen] = held.offer(to: app.owner) }
    if request.headers[.ifNoneMatch]?.split(separator: ",").contains(where: { Self.matches($0, tag) }) == true {
      return Response(status: .notModified, headers: headers)
    }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: effective.json))
  }

  private static func matches(_ candidate: Substring, _ tag: String) -> Bool {
    let candidate = candidate.trimmingPrefix { $0 == " " }
    return candidate == tag || candidate == "W/" + tag
  }

  private func list(_ scope: ReadScope) -> Response {
    var json = JSONOutput()
    json.object {
      $0.member("issuer", store.issuer)
      $0.array("documents") {
        for document in store.documents where scope.sees(document.bundle) { $0.object { document.write(to: &$0) } }
      }
    }
    return json.response()
  }

  /// What somebody wrote, and what an app gets.
  private func answer(_ document: ConfigurationStore.Document) -> Response {
    let effective = store.effective(of: document.bundle)
    var json = JSONOutput()
    json.object {
      document.write(to: &$0)
      $0.member("issuer", store.issuer)
      $0.member("effective", json: effective.json)
    }
    return json.response()
  }

  /// What the rules of a section `upload` would have sent, if an app had got it over the document for all.
  private func tryRules(_ request: Request, _ bundle: String, _ scope: ReadScope) async throws -> Response {
    let sections = try await bodies.json(request, maximumDepth: ConfigurationRules.maximumDepth)
    guard case .object(let members) = sections, let given = members[UploadSection.name] else {
      throw APIError.badRequest("invalid_configuration", "upload must be an object: the section with the rules to try")
    }
    var effective = given
    if bundle != ConfigurationStore.everyApp, !given.isNull,
      let general = store.document(of: ConfigurationStore.everyApp).sections[UploadSection.name]
    {
      effective = general.merged(with: given)
    }
    let section = UploadSection(effective)
    let run = try await dryRuns.run(
      scope, section.rules.map(\.rule), of: bundle == ConfigurationStore.everyApp ? nil : bundle, now: WallClock.now)
    var json = JSONOutput()
    json.object {
      $0.member("bundleId", bundle)
      run.write(to: &$0, section)
    }
    return json.response()
  }

  private func put(_ request: Request, _ bundle: String, _ context: CollectorContext) async throws -> Response {
    var sections = try await bodies.json(request, maximumDepth: ConfigurationRules.maximumDepth)
    // Whoever sends back what was shown may leave its version in: then nothing newer is overwritten.
    var expected: Int64?
    if case .object(var members) = sections {
      if let version = members.removeValue(forKey: "version") {
        guard let number = version.integer else {
          throw APIError.badRequest("invalid_configuration", "version must be the number of the version that was read")
        }
        expected = number
      }
      members["issuer"] = nil
      sections = .object(members)
    }
    let document = try await store.put(sections, for: bundle, expected: expected, by: context.author(request))
    return answer(document)
  }
}

extension ConfigurationStore.Document {
  func write(to json: inout JSONOutput) {
    json.member("bundleId", bundle)
    json.member("version", version)
    json.member("document", json: sections.text)
    json.member("changedAt", version == 0 ? nil : changedAt)
    json.member("changedBy", version == 0 ? nil : changedBy)
  }
}

extension CollectorContext {
  /// The path's `{bundle}`, decoded.
  fileprivate var bundle: String {
    get throws {
      let raw = parameters.get("bundle") ?? ""
      let bundle = raw.removingPercentEncoding ?? raw
      try ConfigurationRules.checkBundle(bundle)
      return bundle
    }
  }
}
