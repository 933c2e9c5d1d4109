/// Asks for sessions, and for the people whose they are.
protocol SessionReading: Sendable {
  /// Sessions that pass, in the filter's order.
  ///
  /// - Returns: besides, whether so many words begin like the ones searched for that it was looked for whole words only.
  func list(
    _ scope: ReadScope, _ filter: SessionFilter, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> (page: Page<SessionRow>, isWholeWords: Bool)

  /// How many sessions pass, and what there is to narrow them by: of each facet what there would be without it.
  func facets(_ scope: ReadScope, _ filter: SessionFilter, now: Int64) async throws -> SessionFacets

  /// Whether there is one of this name.
  func exists(_ scope: ReadScope, _ id: String) async throws -> Bool

  /// One session with its launches, as far as they fit; nil when there is none of this name.
  func session(
    _ scope: ReadScope, _ id: String, now: Int64
  ) async throws -> (session: SessionRow, launches: Page<LaunchRow>)?

  /// What the sessions of one person add up to; nil when no session has this name.
  ///
  /// - Parameter app: its sessions alone: two apps may call two people the same.
  func user(_ scope: ReadScope, _ name: String, app: String?) async throws -> UserAnswer?

  /// The sessions of one person, the newest first.
  func sessions(
    _ scope: ReadScope, ofUser name: String, app: String?, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> Page<SessionRow>

  /// What has come from each of some apps, for whoever sees these: apps of which nothing has are not in it.
  func came(fromApps bundles: [String]) async throws -> [String: AppSessions]
}

/// What has come from an app.
struct AppSessions: Sendable {
  var count: Int64 = 0
  /// When something last came; milliseconds since 1970.
  var received: Int64?
}
