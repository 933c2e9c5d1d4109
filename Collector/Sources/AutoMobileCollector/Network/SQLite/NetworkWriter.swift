import Foundation
import GRDB

/// Puts requests into the index, inside a transaction of the caller's.
struct NetworkWriter {
  private let database: Database
  private let maximumDepth: Int

  init(_ database: Database, maximumDepth: Int) {
    self.database = database
    self.maximumDepth = maximumDepth
  }

  /// Adds a `network_request` event that was just stored.
  func add(event: Int64, session: Int64, timestamp: Int64, _ payload: UnsafeRawBufferPointer) throws {
    // It was checked before it was stored.
    guard let fields = try? NetworkFields(payload, maximumDepth: maximumDepth) else { return }
    let address = RequestAddress(url: fields.url)
    let host = try row(
      "SELECT id FROM network_host WHERE name = ?", "INSERT INTO network_host(name) VALUES (?)", [address.host])
    let route = try row(
      "SELECT id FROM network_route WHERE host = ? AND pattern = ?",
      "INSERT INTO network_route(host, pattern) VALUES (?, ?)", [host, address.pattern])
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO network VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [
      event, session, timestamp, fields.method, host, route, address.path, address.query, fields.status,
      fields.duration, fields.sent, fields.received, fields.outcome.hasFailed, fields.error, fields.tracer, fields.mock,
      fields.operation, fields.place?.trace.data, fields.place?.span, fields.place?.parent,
    ])
  }

  /// The row that has a name, made when there is none.
  private func row(_ find: String, _ insert: String, _ name: StatementArguments) throws -> Int64 {
    if let row = try Int64.fetchOne(database.cachedStatement(sql: find), arguments: name) { return row }
    try database.cachedStatement(sql: insert).execute(arguments: name)
    return database.lastInsertedRowID
  }
}
