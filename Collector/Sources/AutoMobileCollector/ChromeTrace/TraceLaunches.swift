import GRDB

/// The launches that a session is of: each is a process of its trace.
struct TraceLaunch: Sendable {
  var row: Int64
  /// As events of later launches name it.
  var given: String
  /// Its last event, of whatever session, in milliseconds since 1970.
  var last: Int64?
  /// What it had in use when it was last seen, in megabytes.
  var memory: (used: Int64, at: Int64)?

  /// More than these are not told apart.
  static let most = 1000

  static func all(_ scope: ReadScope, of session: OutgoingQuery.Session, in store: EventStore) async throws
    -> [TraceLaunch]
  {
    try await store.read(scope) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT launch.id, given, launch.last, memory, lastSeen
          FROM session_launch JOIN launch ON launch.id = session_launch.launch
            LEFT JOIN launch_end ON launch_end.owner = launch.owner AND launch_end.name = launch.given
          WHERE session_launch.session = ? ORDER BY IFNULL(launch.first, launch.last), launch.id LIMIT \(most)
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
