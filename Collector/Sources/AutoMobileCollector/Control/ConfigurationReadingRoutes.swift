import Foundation
import Hummingbird

/// Looking at configuration: what apps get, what they got before, and what other rules for sending would have done. Changes nothing, so
/// that it is also for who has the files and no collector.
struct ConfigurationReadingRoutes: Sendable {
  let store: ConfigurationStore
  let dryRuns: any DryRunReading
  let bodies: SmallBodies

  func add(to routes: RouteTable) {
    routes.get("/api/config", for: .reader) { _, _, scope in list(scope) }
    routes.get("/api/config/{bundle}", for: .reader) { _, context, scope in
      answer(store.document(of: try context.bundle(scope)))
    }
    routes.get("/api/config/{bundle}/history", for: .reader) { request, context, scope in
      let changes = try await store.history(of: context.bundle(scope), limit: request.limit(default: 20))
      var json = JSONOutput()
      json.object { $0.array("changes") { for change in changes { $0.object { change.write(to: &$0) } } } }
      return json.response()
    }
    // Stores nothing.
    routes.post("/api/config/{bundle}/try", for: .reader) { request, context, scope in
      try await tryRules(request, try context.bundle(scope), scope)
    }
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
  func answer(_ document: ConfigurationStore.Document) -> Response {
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
  /// The path's app.
  ///
  /// - Throws: ``APIError`` 403 when it is outside of what may be seen, whether or not there is a document.
  func bundle(_ scope: ReadScope) throws -> String {
    let bundle = try named
    guard scope.sees(bundle) else {
      throw APIError(.forbidden, "other_project", "this key is for another project")
    }
    return bundle
  }

  /// The path's `{bundle}`, decoded.
  private var named: String {
    get throws {
      let raw = parameters.get("bundle") ?? ""
      let bundle = raw.removingPercentEncoding ?? raw
      try ConfigurationRules.checkBundle(bundle)
      return bundle
    }
  }
}
