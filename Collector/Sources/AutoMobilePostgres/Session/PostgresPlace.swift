import AutoMobileState

/// Where in the database the tables are. What is named for all of a database (a channel, a lock) has its name in it, so that two
/// schemas of one database are apart.
struct PostgresPlace: Sendable, Equatable {
  let schema: String

  init(of connection: PostgresConnection, _ address: PostgresAddress) throws {
    let row = try connection.query(
      "SELECT current_schema(), current_setting('server_encoding')", [], for: .seconds(5)
    ).rows.first
    func wrong(_ text: String) -> PostgresFailure {
      PostgresFailure(course: .final, error: StateError(.engine, "PostgreSQL at \(address.place): \(text)"))
    }
    guard let schema = try row?[0] as String? else {
      throw wrong(
        "none of the schemas of search_path is there: create one, or set search_path for the collector's role")
    }
    guard try row?[1] == "UTF8" else {
      throw wrong("the database's encoding is not UTF8: create one with ENCODING 'UTF8'")
    }
    self.schema = schema
  }

  /// What news are told on; quoted, as an identifier.
  var channel: String { "\"\(channelName)\"" }

  /// The same as a value.
  var channelName: String { "automobile_\(String(UInt64(bitPattern: Self.hash("channel " + schema)), radix: 36))" }

  /// The lock of a work.
  func key(of work: StateWork) -> StateValue { .integer(Self.hash("work \(schema)\n\(work.name)")) }

  /// The lock of whoever makes tables.
  var schemaKey: StateValue { .integer(Self.hash("schema \(schema)")) }

  /// FNV-1a: the same in all programs and versions, which Swift's own is not.
  private static func hash(_ text: String) -> Int64 {
    Int64(bitPattern: text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }
}
