import GRDB

/// What was found in ClickHouse of a subject.
struct ClickHouseFinding: ErasureFinding {
  let subject: ErasureSubject
  let projects: Set<String>
  let sessions: Set<ErasureNames.Name>
  let around: ClickHouseSubject.Surroundings

  func state(in database: Database) throws -> StateErasure {
    let names = Set(sessions.map(\.name))
    return StateErasure(subject: subject, projects: projects, sessions: names, names: names)
  }

  func mark(_ mark: ErasureMarks.Mark, in database: Database) throws -> (sessions: Int, state: StateErasure) {
    let project = subject.project.map { DataOwner.app($0) }
    switch subject.kind {
    case .user: try ErasureMarks.insert(.user, subject.id, of: project, mark, in: database)
    case .device: try ErasureMarks.insert(.device, subject.id, of: project, mark, in: database)
    case .session where sessions.isEmpty:
      try ErasureMarks.insert(.session, subject.id, of: project, mark, in: database)
    case .session: break
    }
    try Self.note(sessions, around, mark, list: mark.erasure, in: database)
    try ErasureSelection(subject, projects: projects, in: database).removeFaults()
    return (sessions.count, try state(in: database))
  }

  /// Marks sessions with what leads to them, removes their replays here, and writes down what is to be deleted there.
  static func note(
    _ sessions: Set<ErasureNames.Name>, _ around: ClickHouseSubject.Surroundings, _ mark: ErasureMarks.Mark,
    list: Int64, in database: Database
  ) throws {
    let names = ErasureNames(database: database, list: list)
    for session in sessions {
      try ErasureMarks.insert(.session, session.name, of: session.owner, mark, in: database)
      try names.add(.session, session)
    }
    for launch in around.withoutOwn {
      try ErasureMarks.insert(.session, "launch:\(launch.name)", of: launch.owner, mark, in: database)
    }
    for context in around.contexts {
      try ErasureMarks.insert(
        .context, ErasedNames.context(context.number, of: context.launch), of: DataOwner(name: context.project), mark,
        in: database)
    }
    for launch in around.launches { try names.add(.launch, launch) }
    for launch in around.alone { try names.add(.alone, launch) }
    for place in around.places { try names.add(.place, place) }
    try removeReplays(sessions, around.replays, mark, names)
    // Of what came late there is no erasure that would look at them.
    for issue in around.issues where list != ErasureNames.late {
      try database.execute(
        sql: "INSERT OR IGNORE INTO erasure_shared(erasure, what, name) VALUES (?, 'issue', ?)",
        arguments: [mark.erasure, issue])
    }
  }

  private static func removeReplays(
    _ sessions: Set<ErasureNames.Name>, _ named: Set<ErasureNames.Name>, _ mark: ErasureMarks.Mark,
    _ names: ErasureNames
  ) throws {
    let database = names.database
    var replays = named
    for session in sessions {
      let rows = try String.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT given FROM replay_session JOIN replay ON replay.id = replay JOIN owner ON owner.id = owner
            WHERE sessionId = ? AND owner.name = ?
            """), arguments: [session.name, session.project])
      replays.formUnion(rows.map { ErasureNames.Name(project: session.project, name: $0) })
    }
    for replay in replays {
      try ErasureMarks.insert(.replay, replay.name, of: replay.owner, mark, in: database)
      try names.add(.replay, replay)
      let rows = try Int64.fetchAll(
        database.cachedStatement(
          sql: "SELECT replay.id FROM replay JOIN owner ON owner.id = replay.owner WHERE given = ? AND owner.name = ?"),
        arguments: [replay.name, replay.project])
      for row in rows {
        let bytes = try Int64.fetchOne(
          database, sql: "SELECT SUM(length) FROM replay_segment WHERE replay = ?", arguments: [row])
        // Of what came late as well: whoever tells of replays has these packs written anew.
        try PackScrub.note(row, for: mark.erasure, in: database)
        try ReplayEraser.remove(row, in: database)
        try Erasure.count(["replay": 1, "replay_bytes": bytes ?? 0], of: mark.erasure, in: database)
      }
    }
  }
}
