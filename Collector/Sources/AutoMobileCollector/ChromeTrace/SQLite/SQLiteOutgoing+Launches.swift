import GRDB

extension SQLiteOutgoing {
  func launches(_ scope: ReadScope, of session: OutgoingSession) async throws -> [TraceLaunch] {
    try await store.read(scope) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT launch.id, given, launch.last, memory, lastSeen
          FROM session_launch JOIN launch ON launch.id = session_launch.launch
            LEFT JOIN launch_end ON launch_end.owner = launch.owner AND launch_end.name = launch.given
          WHERE session_launch.session = ? ORDER BY IFNULL(launch.first, launch.last), launch.id LIMIT \(TraceLaunch.most)
          """, arguments: [session.row]
      ).map { row in
        let memory: Int64? = row[3]
        let at: Int64? = row[4]
        return TraceLaunch(
          row: row[0], given: row[1], last: row[2], memory: memory.flatMap { used in at.map { (used, $0) } })
      }
    }
  }
}
