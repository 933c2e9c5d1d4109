/// Makes the tables and brings them up to date, on each server by itself: no coordinator is needed. Every step may be done twice, so
/// that collectors that start together do not disturb each other.
struct SchemaMigrator: Sendable {
  let database: SQLName
  let cluster: SQLName?
  var steps = Self.steps

  /// What there is on a server.
  struct State: Sendable, Equatable {
    var version: Int
    /// Of the steps that are done, what they ask of programs.
    var oldest: Int
    var dialect: Dialect
  }

  struct Step: Sendable {
    var version: Int
    /// Programs that know steps up to this one at least can go on when it is done.
    var oldest = 0
    /// What tables that are there already get: `TelemetryTables` says the same, of those that are made.
    var columns: [(table: TelemetryTable, column: TableColumn)] = []
    var statements: @Sendable (SchemaMigrator, Dialect) -> [SQL]
  }

  /// While a newer program comes in, older ones go on: they name the columns that they write. So a step only adds, or has an `oldest`.
  static let steps = [
    Step(version: 1) { migrator, dialect in
      TelemetryTables.all.map { $0.create(in: migrator.database, dialect) }
        + SessionTables.create(in: migrator.database, dialect)
    },
    Step(version: 2) { [TelemetryTables.sessionImports.create(in: $0.database, $1)] },
    Step(version: 3, columns: [(TelemetryTables.launchParts, LaunchTables.counted)]) {
      [TelemetryTables.eventCounts.create(in: $0.database, $1)]
    },
    Step(
      version: 4,
      columns: EventCountTable.failures.map { (TelemetryTables.eventCounts, $0) }
        + [(TelemetryTables.launchParts, LaunchTables.keeping)]
    ) { _, _ in [] },
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
  /// - Throws: ``ClickHouseError`` when a newer version of this program made them, and older ones cannot use them.
  func migrate(_ client: ClickHouseClient, _ wanted: Dialect) async throws -> Dialect {
    try await client.run("CREATE DATABASE IF NOT EXISTS \(database)")
    try await client.run(
      """
      CREATE TABLE IF NOT EXISTS \(table) (version UInt32, dialect String, at DateTime, oldest UInt32) \
      ENGINE = MergeTree ORDER BY version
      """)
    let state = try await state(client)
    let newest = steps.last?.version ?? 0
    if let state, state.oldest > newest {
      throw ClickHouseError(
        .setup,
        "its tables need a program that knows version \(state.oldest), and this one knows them up to \(newest): use a newer one",
        host: client.hosts.first?.description)
    }
    let dialect = state?.dialect ?? wanted
    for step in steps where step.version > state?.version ?? 0 {
      for statement in step.statements(self, dialect) { try await client.run(statement) }
      for (table, column) in step.columns { try await add(column, to: table, dialect, client) }
      try await client.run(
        """
        INSERT INTO \(table) (version, dialect, at, oldest) \
        SELECT toUInt32(\(Int64(step.version))), \(text: dialect.rawValue), now(), toUInt32(\(Int64(step.oldest)))
        """)
    }
    // Each time: a server may have joined a cluster since.
    if let cluster {
      for table in TelemetryTables.all {
        try await client.run(table.createShared(in: database, cluster: cluster))
        try await widen(table.sharedName, as: table.localName, client)
      }
      try await client.run(SessionTables.createShared(in: database, cluster: cluster))
      try await widen(SessionTables.sharedName, as: SessionTables.localName, client)
    }
    return dialect
  }

  // MARK: Columns

  private func add(
    _ column: TableColumn, to table: TelemetryTable, _ dialect: Dialect, _ client: ClickHouseClient
  ) async throws {
    for (name, definition) in zip(column.names(dialect), column.definitions(dialect)) {
      try await add(name, SQL(trusted: definition), to: table.localName, client)
    }
  }

  /// A table through which all rows are read has the columns that there were when it was made.
  private func widen(_ shared: SQLName, as local: SQLName, _ client: ClickHouseClient) async throws {
    let there = Set(try await columns(of: shared, client).map(\.name))
    for column in try await columns(of: local, client) where !there.contains(column.name) {
      let name = SQLName(trusted: column.name)
      try await add(name.quoted, SQL(trusted: "\(name.quoted) \(column.type)"), to: shared, client)
    }
  }

  /// - Parameter name: as statements have it.
  private func add(_ name: String, _ definition: SQL, to table: SQLName, _ client: ClickHouseClient) async throws {
    func isThere() async throws -> Bool {
      try await columns(of: table, client).contains { SQLName(trusted: $0.name).quoted == name }
    }
    // Not `IF NOT EXISTS`, which 18.16 does not know: another collector may be first.
    guard try await !isThere() else { return }
    do {
      try await client.run("ALTER TABLE \(database).\(table) ADD COLUMN \(definition)")
    } catch let error as ClickHouseError {
      guard case .server = error.kind, try await isThere() else { throw error }
    }
  }

  private func columns(
    of table: SQLName, _ client: ClickHouseClient
  ) async throws -> [(name: String, type: String)] {
    try await client.rows(
      "SELECT name, type FROM system.columns WHERE database = \(text: database.text) AND table = \(text: table.text)"
    ) { (name: try $0.string(), type: try $0.string()) }
  }

  private func state(_ client: ClickHouseClient) async throws -> State? {
    let rows = try await client.rows(
      "SELECT max(version), argMax(dialect, version), max(oldest), count() FROM \(table)"
    ) {
      (
        version: Int(try $0.int(UInt32.self)), dialect: try $0.string(), oldest: Int(try $0.int(UInt32.self)),
        steps: try $0.int(UInt64.self)
      )
    }
    guard let row = rows.first, row.steps > 0 else { return nil }
    guard let dialect = Dialect(rawValue: row.dialect) else {
      throw ClickHouseError(
        .setup, "its tables are of a form that this program does not know", host: client.hosts.first?.description)
    }
    return State(version: row.version, oldest: row.oldest, dialect: dialect)
  }
}
