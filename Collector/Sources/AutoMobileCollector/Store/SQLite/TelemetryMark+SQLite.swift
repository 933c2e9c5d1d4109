import GRDB

extension TelemetryMark {
  /// Where telemetry is, in a copy of an index; nil: in it.
  static func place(in database: Database) throws -> String? {
    let text = try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
    return try text.map { try read($0) }.flatMap { $0.isInUse ? $0.place : nil }
  }
}
