/// The tables through which everything is read, and their form.
package struct ReadableTables: Sendable {
  package let database: SQLName
  package let dialect: Dialect
  /// There are tables of the plain names, which read those of all shards.
  package let isShared: Bool

  package init(database: SQLName, dialect: Dialect, isShared: Bool) {
    self.database = database
    self.dialect = dialect
    self.isShared = isShared
  }

  package func callAsFunction(_ table: TelemetryTable) -> SQL {
    "\(database).\(isShared ? table.sharedName : table.localName)"
  }

  /// What of a table a shard has itself. A question inside of a question is asked of it on each shard, and all of a session is on one.
  package func local(_ table: TelemetryTable) -> SQL { "\(database).\(table.localName)" }

  /// The same of all tables: what a shard has itself.
  package var onShard: ReadableTables { ReadableTables(database: database, dialect: dialect, isShared: false) }

  package var localSessions: SQL { "\(database).\(SessionTables.localName)" }

  package var sessions: SQL { "\(database).\(isShared ? SessionTables.sharedName : SessionTables.localName)" }
}
