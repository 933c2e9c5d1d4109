import AutoMobileClickHouse

/// Sessions that are opened from files where telemetry is in ClickHouse: what is in them goes through the collector's log, like all that
/// apps send, and beside it one row says where it is from. It is there before anything of the session is.
struct ClickHouseImports: SessionImports {
  private let telemetry: ClickHouseTelemetry
  private let inserter: ClickHouseInserter
  private let map: ShardMap
  private let marks: ErasedNamesCache

  init(_ cluster: ClusterTelemetry) {
    telemetry = cluster.telemetry
    inserter = ClickHouseInserter(cluster.cluster, limits: .asBrought(within: .seconds(3)))
    map = cluster.cluster.map
    marks = cluster.erasing.marks
  }

  func keep(_ origin: SessionImport, as owner: DataOwner) async throws -> String {
    let isErased = try await offLoop { [marks] in
      try marks.current()?.isErased(session: origin.sessionId, of: owner) ?? false
    }
    guard !isErased else { throw SessionImport.erased }
    let name = SessionName(
      project: owner.name, session: origin.sessionId,
      shard: ShardKey.of(project: owner.name, session: origin.sessionId))
    let (known, first) = try await telemetry.readOwn { reading in
      (
        try await reading.imports(of: [name])[name],
        try await reading.projects(of: [name.session])[name.session]?.first
      )
    }
    // Its events come with today's day, and stay as long as that does: so does what is said of them.
    if known.map({ RecordColumns.day($0.importedAt) }) != RecordColumns.day(origin.importedAt) {
      try await write(origin, since: known?.importedAt ?? origin.importedAt, name)
    }
    // Who came first has the plain name.
    return first == nil || first == name.project ? name.session : name.qualified
  }

  private func write(_ origin: SessionImport, since first: Int64, _ name: SessionName) async throws {
    var rows = ShardedRows(TelemetryTables.sessionImports, map)
    rows.append(name.shard) { row in
      row.string(name.project)
      row.string(name.session)
      row.nullable(origin.exportedAt)
      row.nullable(origin.collector)
      row.int(first)
      row.int(origin.importedAt)
      row.day(RecordColumns.day(origin.importedAt))
    }
    do {
      try await inserter.insert(rows)
    } catch let failure as InsertFailure where failure.isTransient {
      throw APIError(
        .serviceUnavailable, "telemetry_unavailable", "ClickHouse does not answer: import the file again",
        retryAfter: 5)
    }
  }

  func known(_ replay: String, of owner: DataOwner) async throws -> ImportedReplay {
    try await telemetry.readOwn { reading in
      let range: [SQL] = ["project = \(text: owner.name)", "replay = \(text: replay)"]
      let segments = try await reading.rows(
        reading.copies("DISTINCT segment", of: TelemetryTables.replaySegments, range)
      ) { try $0.string() }
      let ends = try await reading.rows(
        reading.copies(
          "toInt64(count())", of: TelemetryTables.replays, range + ["isNotNull(ended)"])
      ) { try $0.int(Int64.self) }
      return ImportedReplay(segments: Set(segments), isOver: ends.first ?? 0 > 0)
    }
  }
}

extension ClickHouseReading {
  /// Of those of some sessions that were opened from files.
  func imports(of names: [SessionName]) async throws -> [SessionName: SessionImport] {
    let files = names.filter { DataOwner(name: $0.project).isFile }
    guard !files.isEmpty else { return [:] }
    var rows = DistinctRows(
      TelemetryTables.sessionImports,
      columns: ["project", "session", "shard", "received", "exported", "collector"])
    rows.range = Self.range(of: files)
    let statement = distinct(
      rows,
      selecting: ["project", "session", "shard", "received", "ifNull(exported, -1)", "ifNull(collector, '')"])
    let found = try await self.rows(statement) { row in
      let name = try SessionName(&row)
      let (at, exported, collector) = (try row.int(Int64.self), try row.int(Int64.self), try row.string())
      return (
        name,
        SessionImport(
          sessionId: name.session, importedAt: at, exportedAt: exported < 0 ? nil : exported,
          collector: collector.isEmpty ? nil : collector)
      )
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }
}
