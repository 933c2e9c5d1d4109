import Foundation
import GRDB

/// What SQLite has to offer to ``StateReading`` and ``StateWriting``. Used on the thread that the database is used on.
final class SQLiteStateConnection: StateConnection {
  private let database: Database
  /// Nil: nobody is told.
  private let listeners: StateListeners?
  /// Of the first statement that failed. Other engines keep nothing after it, whatever becomes of the error: so it is here.
  private(set) var failure: (any Error)?

  init(_ database: Database, _ listeners: StateListeners?) {
    self.database = database
    self.listeners = listeners
  }

  func run(_ sql: StateSQL, _ values: [StateValue]) throws -> (rows: [StateRow], changed: Int) {
    if let failure { throw failure }
    do {
      return try answer(sql, values)
    } catch {
      failure = error
      throw error
    }
  }

  /// What came of what this was used for. No closure is asked for it: the optimiser ends at one that makes what cannot be copied.
  ///
  /// - Throws: what a statement has thrown in it.
  func finish<Result>(_ result: Result) throws -> Result {
    if let failure { throw failure }
    return result
  }

  private func answer(_ sql: StateSQL, _ values: [StateValue]) throws -> (rows: [StateRow], changed: Int) {
    do {
      let statement = try database.cachedStatement(sql: sql.text)
      try statement.setArguments(StatementArguments(values.map(\.databaseValue)))
      guard statement.columnCount > 0 else {
        try statement.execute()
        return ([], database.changesCount)
      }
      var rows: [StateRow] = []
      let cursor = try Row.fetchCursor(statement)
      while let row = try cursor.next() { rows.append(StateRow(row.databaseValues.map(StateValue.init))) }
      return (rows, database.changesCount)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw StateError(error)
    }
  }

  func clock() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  func tell(_ news: StateNews) {
    guard let listeners else { return }
    database.afterNextTransaction { _ in listeners.tell(news) }
  }
}

extension StateError {
  /// What SQLite says of a constraint: `UNIQUE constraint failed: project.bundleId, project.name`.
  fileprivate init(_ error: DatabaseError) {
    let message = error.message ?? "a constraint failed"
    guard let prefix = message.firstRange(of: "UNIQUE constraint failed: ") else {
      self.init(.refused, message)
      return
    }
    let names = message[prefix.upperBound...].replacing(", ", with: ",").split(separator: ",").map {
      $0.split(separator: ".")
    }
    self.init(.conflict(StateKey(String(names.first?.first ?? ""), names.map { String($0.last ?? "") })), message)
  }
}

extension StateValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .bytes(let value): Data(value).databaseValue
    }
  }

  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .real(value)
    case .string(let value): self = .text(value)
    case .blob(let value): self = .bytes(Array(value))
    }
  }
}
