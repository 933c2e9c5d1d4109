import GRDB

/// Events that have arrived after one, counted for those who asked for them.
struct ArrivedEvents {
  /// The asks as they stood.
  var asks: [OpenAsk] = []
  /// How many, by ask.
  var counts: [Int64: Int64] = [:]
  /// The last that was looked at.
  var last: Int64?
  /// Whether there may be more.
  var isFull = false

  private struct Event {
    var id: Int64
    var time: Int64
    var received: Int64
    var context: Int64?
  }

  /// - Parameter open: those that stand. Read after the events: an app that sends what it was told to had been told by then.
  init(after first: Int64, most: Int, _ open: () -> [OpenAsk], in database: Database) throws {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT event.id, session, timestamp, event_type.name, received, context FROM event
            JOIN event_type ON event_type.id = event.type
          WHERE event.id > ? ORDER BY event.id LIMIT ?
          """), arguments: [first, most])
    isFull = rows.count == most
    last = rows.last.map { $0[0] }
    // What came before any app had heard of an ask came for another reason.
    asks = open()
    let told = asks.filter { $0.ask.toldAt != nil }
    guard !told.isEmpty else { return }
    let needsDevices = told.contains { $0.ask.kind == .device }
    let needsUsers = told.contains { $0.ask.kind == .user }
    var users: [Int64: String?] = [:]
    for (number, rows) in Dictionary(grouping: rows, by: { $0[1] as Int64 }) {
      guard let session = try AskAudience.session(number, withDevices: needsDevices, in: database) else { continue }
      let events = rows.filter { ($0[3] as String) != EventTypes.summary }
        .map { Event(id: $0[0], time: $0[2], received: $0[4], context: $0[5]) }
      // Several may have used the app in a session, one after the other.
      for (context, events) in Dictionary(grouping: events, by: { needsUsers ? $0.context : nil }) {
        var user = session.user
        if let context {
          if users[context] == nil { users[context] = .some(try AskAudience.user(of: context, in: database)) }
          user = users[context] ?? nil
        }
        for open in told where open.isAbout(session, user: user) { count(events, of: open.ask) }
      }
    }
  }

  private mutating func count(_ events: [Event], of ask: Ask) {
    guard let toldAt = ask.toldAt else { return }
    let count = events.count { $0.id > ask.seen && $0.received >= toldAt && ask.admits($0.time) }
    if count > 0 { counts[ask.id, default: 0] += Int64(count) }
  }
}
