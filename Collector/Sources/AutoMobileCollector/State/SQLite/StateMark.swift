import AutoMobileState
import GRDB

/// That the index remembers which state it belongs to: with another one it would show what others decided about other things.
enum StateMark {
  /// One row when the state is elsewhere: then the tables of the state in this file are copies, see ``StateCopy``, or empty.
  static let table = """
    CREATE TABLE state_place(id INTEGER PRIMARY KEY CHECK (id = 1), place TEXT NOT NULL, identity TEXT NOT NULL);

    """

  static func isElsewhere(in database: Database) throws -> Bool {
    try Bool.fetchOne(database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM state_place)")) == true
  }

  /// Where it is said to be; nil: in this file.
  static func place(in database: Database) throws -> String? {
    try String.fetchOne(database, sql: "SELECT place FROM state_place")
  }

  /// - Throws: ``CollectorError`` when this index is to be read with another state than its own.
  static func check(_ store: EventStore) throws {
    guard store.sharesState else { return try checkAlone(store) }
    let identity: String? = try store.state.readNow { try $0.value("SELECT issuer FROM configuration_store") }
    let known = try store.pool.read(Self.known)
    guard let known, known.identity == identity else {
      throw CollectorError.stateElsewhere(known: known?.place ?? "the data directory", given: store.state.place)
    }
  }

  private static func checkAlone(_ store: EventStore) throws {
    guard let place = try store.pool.read(Self.place) else { return }
    throw CollectorError.stateElsewhere(known: place, given: "the data directory")
  }

  private static func known(in database: Database) throws -> (place: String, identity: String)? {
    try Row.fetchOne(database, sql: "SELECT place, identity FROM state_place").map { ($0[0], $0[1]) }
  }

  /// Compares, and remembers with the first start.
  ///
  /// - Parameter identity: of the state; addresses of one server differ.
  /// - Throws: ``CollectorError`` when there is a state of its own in this file, or it belongs to another one.
  static func set(_ identity: String, in store: EventStore) throws {
    guard store.sharesState else { return try checkAlone(store) }
    let given = store.state.place
    try store.pool.write { database in
      if let known = try known(in: database) {
        guard known.identity == identity else {
          throw CollectorError.stateElsewhere(known: known.place, given: given)
        }
      } else if try hasState(in: database) {
        throw CollectorError.stateElsewhere(known: "the data directory", given: given)
      }
      try database.execute(
        sql: "INSERT INTO state_place VALUES (1, ?1, ?2) ON CONFLICT DO UPDATE SET place = ?1",
        arguments: [given, identity])
    }
  }

  /// Whether somebody set or decided something that only this file has.
  private static func hasState(in database: Database) throws -> Bool {
    let tables = [
      "project", "project_key", "configuration", "person_session", "audit", "redaction", "saved_search", "issue_state",
      "issue_note", "issue_change", "issue_merge", "alert_channel", "alert_rule", "forwarder", "ask", "symbol_build",
      "source_build",
    ]
    let any = tables.map { "EXISTS (SELECT 1 FROM \($0))" }.joined(separator: " OR ")
    return try Bool.fetchOne(database, sql: "SELECT \(any)") == true
  }
}
