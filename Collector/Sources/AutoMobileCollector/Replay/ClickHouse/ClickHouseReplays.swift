import AutoMobileClickHouse

/// Replays of all collectors: what this one has itself, which may not be in ClickHouse yet, and what the others have told there.
///
/// A replay is called here as its app calls it; out of a file, whose replays may be called as an app's are, with the file's name added
/// where somebody else's has that name. What went wrong in an app (faults) is told by the collector alone that was told of it.
struct ClickHouseReplays: ReplayReading {
  let telemetry: ClickHouseTelemetry
  let local: SQLiteReplays

  func replays(_ scope: ReadScope, of session: String) async throws -> [KnownReplay] {
    let (project, given, told) = try await telemetry.read(scope) { reading in
      let name = try await reading.session(named: session)
      let given = name?.session ?? session
      let told = try await reading.replays(
        ["session = \(text: given)"] + (name.map { ["project = \(text: $0.project)"] } ?? []),
        limit: SQLiteReplays.most)
      return (name?.project, given, told)
    }
    let own = try await local.own(
      scope, of: given, in: project, named: told.map { ($0.project, $0.given) })
    var replays = KnownReplay.together(own, told)
    for index in replays.indices where DataOwner(name: replays[index].project).isFile {
      let replay = replays[index]
      let first = try await called(scope, replay.given).first
      if let first, first.project != replay.project { replays[index].name = replay.qualified }
    }
    return replays.sorted { ($0.first ?? .max, $0.given) < ($1.first ?? .max, $1.given) }
  }

  func replay(_ scope: ReadScope, _ name: String) async throws -> KnownReplay? {
    if let found = try await called(scope, name).first { return found }
    guard let at = name.lastIndex(of: "@") else { return nil }
    var found = try await called(scope, String(name[..<at])).first { $0.qualified == name }
    found?.name = name
    return found
  }

  /// All that are called so: those of apps first, so that no file takes an app's name.
  private func called(_ scope: ReadScope, _ name: String) async throws -> [KnownReplay] {
    let told = try await telemetry.read(scope) { try await $0.replays(["replay = \(text: name)"], limit: 100) }
    let own = try await local.own(scope, called: name)
    return KnownReplay.together(own, told).sorted { one, other in
      let (one, other) = (DataOwner(name: one.project), DataOwner(name: other.project))
      return (one.isFile ? 1 : 0, one.name) < (other.isFile ? 1 : 0, other.name)
    }
  }

  func places(
    _ scope: ReadScope, _ segment: String, of replay: String
  ) async throws -> (places: [ReplayPacks.Place], kind: String)? {
    try await self.replay(scope, replay)?.places(segment)
  }

  func whole(_ scope: ReadScope, of session: String) async throws -> [WholeReplay] {
    try await replays(scope, of: session).map { $0.whole(in: session) }
  }
}

extension KnownReplay {
  /// With whose it is.
  fileprivate var qualified: String { "\(given)@\(DataOwner(name: project).label)" }

  /// Of those of one name, one: what the first says of a part counts.
  static func together(_ first: [KnownReplay], _ second: [KnownReplay]) -> [KnownReplay] {
    var all: [KnownReplay] = []
    for replay in first + second {
      if let index = all.firstIndex(where: { $0.project == replay.project && $0.given == replay.given }) {
        all[index].add(replay)
      } else {
        var replay = replay
        replay.name = replay.given
        all.append(replay)
      }
    }
    for index in all.indices { all[index].sort() }
    return all
  }

  private mutating func add(_ other: KnownReplay) {
    bundleId = bundleId ?? other.bundleId
    end = end ?? other.end
    sessions += other.sessions.filter { !sessions.contains($0) }
    faults += other.faults
    let known = Set(parts.map(\.part.segmentId))
    parts += other.parts.filter { !known.contains($0.part.segmentId) }
  }

  private mutating func sort() {
    sessions.sort()
    // A part is told after the one that it goes on from.
    parts.sort { one, other in
      (one.part.first, one.part.continues == nil ? 0 : 1, one.part.segmentId)
        < (other.part.first, other.part.continues == nil ? 0 : 1, other.part.segmentId)
    }
  }
}

extension ClickHouseReading {
  /// Replays with all that other collectors have told of them.
  fileprivate func replays(_ range: [SQL], limit: Int) async throws -> [KnownReplay] {
    let named = try await rows(
      copies("DISTINCT project, replay", of: TelemetryTables.replays, range, "LIMIT \(count: limit)")
    ) { ErasureNames.Name(project: try $0.string(), name: try $0.string()) }
    guard !named.isEmpty else { return [] }
    let names = ClickHouseSubject.range(of: named, column: "replay")
    var found: [ErasureNames.Name: KnownReplay] = [:]
    for told in try await rows(words(names), { try Self.told(&$0) }) {
      let key = ErasureNames.Name(project: told.project, name: told.given)
      var replay = found[key] ?? told
      replay.end = replay.end ?? told.end
      replay.sessions += told.sessions.filter { !replay.sessions.contains($0) }
      found[key] = replay
    }
    for (name, part) in try await rows(segments(names), { try Self.part(&$0) }) { found[name]?.parts.append(part) }
    return found.values.sorted { ($0.project, $0.given) < ($1.project, $1.given) }
  }

  private func words(_ range: [SQL]) -> SeenSQL {
    var rows = DistinctRows(
      TelemetryTables.replays,
      [
        "project", "replay", "session", "bundle", "started", "ended", "background", "reason", "metrics", "later",
      ])
    rows.range = range
    rows.order = ["project", "replay", "ended DESC", "later DESC", "session"]
    return distinct(
      rows,
      selecting: [
        "project", "replay", "session", "bundle", "ifNull(started, -1)", "ifNull(ended, -1)", "ifNull(background, -1)",
        "ifNull(reason, '')", "ifNull(metrics, '')",
      ])
  }

  private static func told(_ row: inout RowBinaryReader) throws -> KnownReplay {
    let (project, replay, session, bundle) = (try row.string(), try row.string(), try row.string(), try row.string())
    let times = [try row.int(Int64.self), try row.int(Int64.self), try row.int(Int64.self)].map { $0 < 0 ? nil : $0 }
    let texts = [try row.string(), try row.string()].map { $0.isEmpty ? nil : $0 }
    return KnownReplay(
      project: project, given: replay, name: replay, bundleId: bundle.isEmpty ? nil : bundle,
      end: times[1].map {
        KnownReplay.End(
          startedAt: times[0], endedAt: $0, backgroundMs: times[2], reason: texts[0], metrics: texts[1])
      }, sessions: session.isEmpty ? [] : [session])
  }

  private func segments(_ range: [SQL]) -> SeenSQL {
    var rows = DistinctRows(
      TelemetryTables.replaySegments,
      [
        "project", "replay", "segment", "kind", "first", "last", "frames", "continues", "hash", "pack", "offset",
        "length", "checksum",
      ])
    rows.range = range
    rows.order = ["first", "isNotNull(continues)", "segment"]
    return distinct(
      rows,
      selecting: [
        "project", "replay", "segment", "kind", "first", "last", "frames", "ifNull(continues, '')", "ifNull(hash, '')",
        "pack", "offset", "length", "checksum",
      ])
  }

  private static func part(_ row: inout RowBinaryReader) throws -> (ErasureNames.Name, KnownReplay.Part) {
    let name = ErasureNames.Name(project: try row.string(), name: try row.string())
    let (segment, kind) = (try row.string(), try row.string())
    let (first, last, frames) = (try row.int(Int64.self), try row.int(Int64.self), try row.int(Int64.self))
    let (continues, hash, pack) = (try row.string(), try row.string(), try row.string())
    let (offset, length) = (try row.int(Int64.self), try row.int(Int64.self))
    let checksum = try row.int(Int64.self)
    let part = ReplayPart(
      segmentId: segment, kind: kind, first: first, last: last, frames: frames, length: length,
      continues: continues.isEmpty ? nil : continues)
    let place = BlobName(.replays, pack).map {
      ReplayPacks.Place(pack: $0, offset: offset, length: length, checksum: checksum)
    }
    return (name, KnownReplay.Part(part: part, place: place, hash: hash.isEmpty ? nil : hash))
  }
}
