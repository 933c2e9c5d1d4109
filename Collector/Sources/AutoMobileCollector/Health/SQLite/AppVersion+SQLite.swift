import GRDB

extension AppVersion {
  /// The one that a row of `build` stands for.
  init?(build: Int64, _ database: Database) throws {
    let find = try database.cachedStatement(sql: "SELECT bundleId, version FROM build WHERE id = ?")
    guard let row = try Row.fetchOne(find, arguments: [build]) else { return nil }
    self.init(row[0], row[1])
  }
}
