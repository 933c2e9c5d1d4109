import GRDB

/// The rows of owners: what sessions, launches and replays refer to.
enum OwnerTable {
  /// The row of an owner, made when there is none.
  static func row(of owner: DataOwner, in database: Database) throws -> Int64 {
    if let known = try known(owner, in: database) { return known }
    try database.cachedStatement(sql: "INSERT INTO owner(name) VALUES (?)").execute(arguments: [owner.name])
    return database.lastInsertedRowID
  }

  static func known(_ owner: DataOwner, in database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM owner WHERE name = ?"), arguments: [owner.name])
  }
}

/// The names by which sessions, launches and replays are known outside: in addresses, answers and files.
///
/// They are the names that apps gave them, as long as no other app has given the same; the second one has its app's
/// added, for good: `3f2a…@com.example.coffee`. Who came first keeps the plain name, so that no link ever leads elsewhere.
enum PublicName {
  static func choose(
    _ name: String, _ owner: DataOwner, column: String, of table: String, in database: Database
  ) throws -> String {
    func isTaken(_ candidate: String) throws -> Bool {
      try Bool.fetchOne(
        database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(column) = ?)"),
        arguments: [candidate]) ?? false
    }
    if try !isTaken(name) { return name }
    let candidate = "\(name)@\(owner.label)"
    if try !isTaken(candidate) { return candidate }
    // Somebody gave a name that looks like one of these. Nobody guesses this one.
    return candidate + "#" + String(UInt64.random(in: 0 ... .max), radix: 16)
  }
}
