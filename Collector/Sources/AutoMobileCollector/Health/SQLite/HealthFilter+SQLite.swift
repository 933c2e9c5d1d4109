import GRDB

extension HealthFilter {
  /// Conditions on a table that is joined with `build`.
  func builds(_ database: Database) throws -> (sql: String, arguments: StatementArguments) {
    guard bundleId != nil || version != nil else { return ("", []) }
    let ids = try Int64.fetchAll(
      database, sql: "SELECT id FROM build WHERE (?1 IS NULL OR bundleId = ?1) AND (?2 IS NULL OR version = ?2)",
      arguments: [bundleId, version])
    return (" AND build IN (\(ids.isEmpty ? "-1" : ids.map(String.init).joined(separator: ",")))", [])
  }
}
