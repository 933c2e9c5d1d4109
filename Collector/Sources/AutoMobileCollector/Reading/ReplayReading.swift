/// Asks what is known of replays, and where their pictures are.
protocol ReplayReading: Sendable {
  /// The replays of a session of the telemetry, in the order of time.
  func replays(_ scope: ReadScope, of session: String) async throws -> [KnownReplay]

  /// Nil when there is none of this name.
  func replay(_ scope: ReadScope, _ name: String) async throws -> KnownReplay?

  /// Where the parts of a segment of a replay are, the first first, and of what kind they are; nil when there is none.
  func places(
    _ scope: ReadScope, _ segment: String, of replay: String
  ) async throws -> (places: [ReplayPacks.Place], kind: String)?

  /// The replays of a session with all that it takes to send them again.
  func whole(_ scope: ReadScope, of session: String) async throws -> [WholeReplay]
}

/// A replay with all that it takes to send it again.
struct WholeReplay: Sendable {
  var segments: [Segment]
  /// As an app would tell it; nil while it goes on.
  var end: [String: JSONTree]?

  struct Segment: Sendable {
    var place: ReplayPacks.Place?
    var announcement: [String: JSONTree]
  }
}
