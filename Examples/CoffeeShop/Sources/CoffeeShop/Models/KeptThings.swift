import AutoMobileSDK

/// What the app keeps, as AutoMobile's inspectors see it: the same that the viewer shows of an app that runs.
struct KeptThings: Sendable {
  struct Table: Identifiable, Sendable {
    let database: String
    let name: String
    let rows: Int

    var id: String { "\(database) \(name)" }
  }

  struct Setting: Identifiable, Sendable {
    let suite: String
    let key: String
    let value: String

    var id: String { "\(suite) \(key)" }
  }

  var tables: [Table] = []
  var settings: [Setting] = []

  /// Off the main thread: the inspectors read files.
  nonisolated static func read() async -> KeptThings {
    var things = KeptThings()
    // Nil when an inspector is switched off.
    if let driver = DatabaseInspector.shared.getDriver() {
      for database in driver.getDatabases() {
        for table in driver.getTables(databasePath: database.path) {
          let data = driver.getTableData(databasePath: database.path, table: table, limit: 1, offset: 0)
          things.tables.append(Table(database: database.name, name: table, rows: data.totalRows))
        }
      }
    }
    if let driver = UserDefaultsInspector.shared.getDriver() {
      for suite in driver.getSuites() {
        for key in Preferences.keys {
          guard let pair = driver.getValue(suiteName: suite.name, key: key) else { continue }
          things.settings.append(Setting(suite: suite.displayName, key: key, value: pair.value ?? ""))
        }
      }
    }
    return things
  }
}
