import GRDB

extension ArrivedEvents {
  /// - Parameter open: those that stand.
  init(after first: Int64, most: Int, _ open: () -> [OpenAsk], in database: Database) throws {
    self.init()
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT event.id, session, timestamp, event_type.name, received, context FROM event
            JOIN event_type ON event_type.id = event.type
          WHERE event.id > ? ORDER BY event.id LIMIT ?
          """), arguments: [first, most])
    isFull = rows.count == most
    last = rows.last.map { $0[0] }
    asks = open()
    let told = self.told
    guard !told.isEmpty else { return }
    let needsDevices = told.contains { $0.ask.kind == .device }
    let needsUsers = told.contains { $0.ask.kind == .user }
    var users: [Int64: String?] = [:]
    for (number, rows) in Dictionary(grouping: rows, by: { $0[1] as Int64 }) {
      guard let session = try AskAudience.session(number, withDevices: needsDevices, in: database) else { continue }
      let rows = rows.filter { ($0[3] as String) != EventTypes.summary }
      // Several may have used the app in a session, one after the other.
      for (context, rows) in Dictionary(grouping: rows, by: { needsUsers ? $0[5] as Int64? : nil }) {
        var user = session.user
        if let context {
          if users[context] == nil { users[context] = .some(try AskAudience.user(of: context, in: database)) }
          user = users[context] ?? nil
        }
        count(rows.map { Event(place: $0[0], time: $0[2], received: $0[4]) }, in: session, user: user)
      }
    }
  }
}
