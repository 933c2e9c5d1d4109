import AutoMobileState

/// One step from nothing to the tables as this program knows them. What was released is not changed any more.
package struct PostgresMigration: Sendable {
  package var number: Int
  package var name: String
  /// The newest number that a program has to know at least to go on after this one. The same as before for what only adds: a
  /// rolling upgrade has programs of both kinds.
  package var oldest: Int
  package var sql: String

  package init(_ number: Int, _ name: String, oldest: Int = 0, sql: String) {
    (self.number, self.name, self.oldest, self.sql) = (number, name, oldest, sql)
  }
}

/// The tables of the state, in the order in which they came.
package struct PostgresSchema: Sendable {
  package let migrations: [PostgresMigration]

  package init(_ migrations: [PostgresMigration]) { self.migrations = migrations.sorted { $0.number < $1.number } }

  /// The number of the last one.
  var newest: Int { migrations.last?.number ?? 0 }

  /// - Parameter name: of the step that is there; one that this program does not know may be called as it will.
  /// - Throws: ``StateError`` when it is another one than this program's.
  func check(_ number: Int, isCalled name: String, _ place: String) throws {
    guard let own = migrations.first(where: { $0.number == number }), own.name != name else { return }
    throw StateError(
      .engine,
      """
      the tables in PostgreSQL at \(place) were made by another program, perhaps a build that was never released: their step \
      \(number) is “\(name)”, and here it is “\(own.name)”. Give this one a database of its own
      """)
  }

  /// - Parameter oldest: what a program has to know at least.
  /// - Throws: ``StateError`` when this one is too old for the tables that are there.
  func check(oldest: Int, _ place: String) throws {
    guard newest >= oldest else {
      throw StateError(
        .engine,
        """
        the tables in PostgreSQL at \(place) are newer than this program: it knows them up to number \(newest), and number \
        \(oldest) at least is needed. Install the version that the other collectors have
        """)
    }
  }
}
