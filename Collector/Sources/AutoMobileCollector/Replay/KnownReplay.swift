/// What is known of a replay.
struct KnownReplay: Sendable {
  /// A part of a segment, and where it is.
  struct Part: Sendable {
    var part: ReplayPart
    var place: ReplayPacks.Place?
    /// SHA-256 of its content, when the sender said it.
    var hash: String?
  }

  /// As it was told.
  struct End: Sendable {
    var startedAt: Int64?
    var endedAt: Int64
    var backgroundMs: Int64?
    var reason: String?
    var metrics: String?
  }

  struct Fault: Sendable {
    var incident: String
    var timestamp: Int64
    var category: String
    var identifier: String
    var detail: String
    /// JSON.
    var frames: String
    var context: String
  }

  /// The owner's name.
  var project: String
  /// As its app calls it.
  var given: String
  /// As it is asked for here.
  var name: String
  var bundleId: String?
  /// Nil while it goes on.
  var end: End?
  var sessions: [String] = []
  /// In the order of time.
  var parts: [Part] = []
  var faults: [Fault] = []

  var first: Int64? { parts.map(\.part.first).min() }
  var last: Int64? { parts.map(\.part.last).max() }
  var bytes: Int64 { parts.reduce(0) { $0 + $1.part.length } }
  /// Pictures.
  var frames: Int64 {
    parts.reduce(0) { $1.part.kind == ReplaySegment.Kind.screenshots.rawValue ? $0 + $1.part.frames : $0 }
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("replayId", name)
      $0.member("bundleId", bundleId)
      $0.member("first", first)
      $0.member("last", last)
      $0.member("frames", frames)
      $0.member("bytes", bytes)
      $0.member("startedAt", end?.startedAt)
      $0.member("endedAt", end?.endedAt)
      $0.member("backgroundMs", end?.backgroundMs)
      $0.member("endReason", end?.reason)
      $0.member("metrics", json: end?.metrics)
      $0.array("telemetrySessionIds") { for session in sessions { $0.string(session) } }
      $0.array("segments") { for segment in ReplayPart.joined(parts.map(\.part)) { segment.write(to: &$0) } }
      $0.array("faults") { for fault in faults { fault.write(to: &$0) } }
    }
  }

  /// Where the parts of a segment are, the first first, and of what kind they are; nil when there is none.
  func places(_ segment: String) -> (places: [ReplayPacks.Place], kind: String)? {
    let own = parts.filter { $0.part.segmentId == segment } + parts.filter { $0.part.continues == segment }
    guard let kind = own.first?.part.kind else { return nil }
    return (own.filter { $0.part.kind == kind }.compactMap(\.place), kind)
  }

  /// - Parameter session: the others of the replay are not told.
  func whole(in session: String) -> WholeReplay {
    let sessions = JSONTree.array([.string(session)])
    let segments = parts.map { part in
      WholeReplay.Segment(
        place: part.place,
        announcement: [
          "sessionId": .string(given), "segmentId": .string(part.part.segmentId), "kind": .string(part.part.kind),
          "startTime": .integer(part.part.first), "endTime": .integer(part.part.last),
          "frameCount": .integer(part.part.frames), "sizeBytes": .integer(part.part.length),
          "telemetrySessionIds": sessions, "continues": part.part.continues.map(JSONTree.string) ?? .null,
          "contentHash": part.hash.map(JSONTree.string) ?? .null,
        ])
    }
    guard let end else { return WholeReplay(segments: segments) }
    var told: [String: JSONTree] = [
      "sessionId": .string(given), "telemetrySessionIds": sessions, "endedAt": .integer(end.endedAt),
      "totalBackgroundTimeMs": .integer(end.backgroundMs ?? 0), "endReason": .string(end.reason ?? "unknown"),
    ]
    if let startedAt = end.startedAt { told["startedAt"] = .integer(startedAt) }
    return WholeReplay(segments: segments, end: told)
  }
}

extension ReplayPart.Whole {
  fileprivate func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", head.segmentId)
      $0.member("kind", head.kind)
      $0.member("first", head.first)
      $0.member("last", last)
      $0.member("frames", frames)
      $0.member("bytes", bytes)
      $0.member("parts", Int64(parts))
    }
  }
}

extension KnownReplay.Fault {
  fileprivate func write(to json: inout JSONOutput) {
    json.object {
      $0.member("incidentId", incident)
      $0.member("timestamp", timestamp)
      $0.member("category", category)
      $0.member("identifier", identifier)
      $0.member("detail", detail)
      $0.member("frames", json: frames)
      $0.member("context", json: context)
    }
  }
}
