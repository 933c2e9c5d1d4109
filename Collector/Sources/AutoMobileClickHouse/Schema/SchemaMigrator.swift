/// Makes the tables and brings them up to date, on each server by itself: no coordinator is needed. Every step may be done twice, so
/// that collectors that start together do not disturb each other.
struct SchemaMigrator: Sendable {
  let database: SQLName
  let cluster: SQLName?

  /// What there is on a server.
  struct State: Sendable, Equatable {
    var version: Int
    var dialect: Dialect
  }

  struct Step: Sendable {
    var version: Int
    var statements: @Sendable (SchemaMigrator, Dialect) -> [SQL]
  }

  static let steps = [
    Step(version: 1) { migrator, dialect in
      TelemetryTables.all.map { $0.create(in: migrator.database, dialect) }
        + SessionTables.create(in: migrator.database, dialect)
    }
  ]

  private var table: SQL { "\(database).\(SQLName(trusted: "automobile_schema"))" }

  /// The form of the tables that are there; nil when there are none.
  func dialect(_ client: ClickHouseClient) async throws -> Dialect? {
    let isThere = try await client.rows(
      "SELECT count() FROM system.tables WHERE database = \(text: database.text) AND name = 'automobile_schema'"
    ) { try $0.int(UInt64.self) }
    return isThere.first == 1 ? try await state(client)?.dialect : nil
  }

  /// Tables that are there keep the form in which they were made, whatever their server has become since.
  ///
  /// - Returns: the form of the tables.
  /// - Throws: ``ClickHouseError`` when a newer version of this program made them.
  func migrate(_ client: ClickHouseClient, _ wanted: Dialect) async throws -> Dialect {
    try await client.run("CREATE DATABASE IF NOT EXISTS \(database)")
    try await client.run(
      """
      CREATE TABLE IF NOT EXISTS \(table) (version UInt32, dialect String, at DateTime) \
      ENGINE = MergeTree ORDER BY version
      """)
    let state = try await state(client)
    let newest = Self.steps.last?.version ?? 0
    if let state, state.version > newest {
      throw ClickHouseError(
        .setup,
        "its tables are of version \(state.version), and this program knows them up to \(newest): use a newer one",
        host: client.hosts.first?.description)
    }
    let dialect = state?.dialect ?? wanted
    for step in Self.steps where step.version > state?.version ?? 0 {
      for statement in step.statements(self, dialect) { try await client.run(statement) }
      try await client.run(
        """
        INSERT INTO \(table) (version, dialect, at) \
        SELECT toUInt32(\(Int64(step.version))), \(text: dialect.rawValue), now()
        """)
    }
    // Each time: a server may have joined a cluster since.
    if let cluster {
      for table in TelemetryTables.all { try await client.run(table.createShared(in: database, cluster: cluster)) }
      try await client.run(SessionTables.createShared(in: database, cluster: cluster))
    }
    return dialect
  }

  private func state(_ client: ClickHouseClient) async throws -> State? {
    let rows = try await client.rows("SELECT version, dialect FROM \(table) ORDER BY version DESC LIMIT 1") {
      (version: Int(try $0.int(UInt32.self)), dialect: try $0.string())
    }
    guard let row = rows.first else { return nil }
    guard let dialect = Dialect(rawValue: row.dialect) else {
      throw ClickHouseError(
        .setup, "its tables are of a form that this program does not know", host: client.hosts.first?.description)
    }
    return State(version: row.version, dialect: dialect)
  }
}
