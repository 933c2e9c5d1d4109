import AutoMobileClickHouse

/// What a session is called here: two projects may call two sessions the same, and there are no numbers of rows.
struct SessionName: Hashable, Sendable {
  var project: String
  /// As its app called it.
  var session: String
  /// Made of both, so that it tells them apart where a number has to.
  var shard: UInt64

  init(project: String, session: String, shard: UInt64) {
    self.project = project
    self.session = session
    self.shard = shard
  }

  /// Of the first columns of a statement over sessions.
  init(_ row: inout RowBinaryReader) throws {
    project = try row.string()
    session = try row.string()
    shard = try row.int()
  }

  /// That a row is of it.
  var range: [SQL] { ["project = \(text: project)", "session = \(text: session)"] }

  var number: Int64 { Int64(bitPattern: shard) }

  /// With its app, for the case that another one's is called the same.
  var qualified: String { "\(session)@\(DataOwner(name: project).label)" }
}

extension ClickHouseReading {
  /// The session of a name, as ``SessionRow/sessionId`` has it; nil when there is none.
  ///
  /// Of several that may be seen the plain name is that of the one that came first, and the others have their app's added.
  func session(named name: String) async throws -> SessionName? {
    if let found = try await sessions(called: name).first { return found }
    guard let at = name.lastIndex(of: "@") else { return nil }
    let label = String(name[name.index(after: at)...])
    return try await sessions(called: String(name[..<at])).first { DataOwner(name: $0.project).label == label }
  }

  /// All that are called so, the first that came first.
  private func sessions(called name: String) async throws -> [SessionName] {
    let statement = sessions(
      SeenSessions(selected: ["count()"], range: ["session = \(text: name)"], order: ["project"], limit: 100))
    let found = try await rows(statement) { row in
      let name = try SessionName(&row)
      _ = try row.int(UInt64.self)
      return name
    }
    guard found.count > 1 else { return found }
    let places = Dictionary(
      uniqueKeysWithValues: (try await projects(of: [name])[name] ?? []).enumerated().map { ($1, $0) })
    return found.sorted { places[$0.project] ?? .max < places[$1.project] ?? .max }
  }

  /// Of names that several sessions have, whose they are, in the order in which they came.
  func projects(of names: [String]) async throws -> [String: [String]] {
    guard !names.isEmpty else { return [:] }
    let list = SQL.joined(names.map { "\(text: $0)" }, ", ")
    let statement = copies(
      "session, project, min(id) AS came", of: TelemetryTables.launchParts, ["session IN (\(list))"],
      "GROUP BY session, project ORDER BY came")
    var projects: [String: [String]] = [:]
    for (name, project) in try await rows(
      statement,
      { row in
        let found = (try row.string(), try row.string())
        _ = try row.int(Int64.self)
        return found
      })
    {
      projects[name, default: []].append(project)
    }
    return projects
  }
}
