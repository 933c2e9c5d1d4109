extension CollectorClient {
  /// What is to be said about an app's name that nothing came from, and a version that it does not have; nil when there is
  /// nothing to say, or nobody to ask.
  func doubt(app: String?, version: String? = nil) async -> String? {
    guard app != nil || version != nil, app != "*", let apps = try? await get("/api/apps"),
      let known = apps["apps"]?.array, apps["otherApps"] == nil
    else { return nil }
    if let app {
      guard let found = known.first(where: { $0["bundleId"]?.text == app }) else {
        let near = Suggestion.text(for: app, among: known.compactMap { $0["bundleId"]?.text })
        return "Nothing has arrived from “\(Printable.text(app))”.\(near)"
      }
      return doubt(version: version, of: [found])
    }
    return doubt(version: version, of: known)
  }

  private func doubt(version: String?, of apps: [JSON]) -> String? {
    guard let version, !apps.contains(where: { $0["otherVersions"] != nil }) else { return nil }
    let versions = apps.flatMap { $0["versions"]?.array ?? [] }.map(\.text)
    guard !versions.contains(version) else { return nil }
    return "No version \(Printable.text(version)) has arrived.\(Suggestion.text(for: version, among: versions))"
  }

  /// Has a running debug build do something.
  ///
  /// - Parameter target: the app, as it was asked for.
  /// - Throws: ``Failure``; when the app does not listen, with those that do.
  func command(_ command: JSON, to target: String) async throws -> JSON {
    do {
      return try await send(.POST, "/api/commands", command)
    } catch var failure as Failure where failure.status == 404 {
      failure.advice = await advice(onListener: target)
      throw failure
    }
  }

  private func advice(onListener target: String) async -> String? {
    guard let listeners = try? await get("/api/commands")["listeners"]?.array else { return nil }
    let names = Set(listeners.compactMap { $0["bundleId"]?.text }).sorted()
    guard !names.isEmpty else {
      return "No app is listening. Debug builds do, while they run and deliver to this collector."
    }
    let near = Suggestion.nearest(to: target, among: names).map { "Did you mean “\(Printable.text($0))”? " } ?? ""
    return near + "Listening: \(Printable.text(names.joined(separator: ", ")))"
  }
}
