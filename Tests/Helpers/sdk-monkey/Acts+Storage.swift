import AutoMobileSDK
import Foundation

extension Act {
  static let storage: [Act] = [
    Act(
      "DatabaseInspector.shared", "DatabaseInspector.isEnabled", "DatabaseInspector.setEnabled(_:)",
      "DatabaseInspector.getDriver()", "DatabaseInspector.setDriver(_:)", weight: 2
    ) { random, stage in
      let inspector = DatabaseInspector.shared
      inspector.setEnabled(random.bool())
      if random.bool() {
        inspector.setDriver(SQLiteDatabaseDriver(searchPaths: [stage.directory.path, random.string()]))
      }
      if inspector.isEnabled { use(inspector.getDriver(), &random, stage) }
    },
    Act(
      "SQLiteDatabaseDriver.init()", "SQLiteDatabaseDriver.init(searchPaths:)", "SQLiteDatabaseDriver.getDatabases()",
      "SQLiteDatabaseDriver.getTables(databasePath:)",
      "SQLiteDatabaseDriver.getTableData(databasePath:table:limit:offset:)",
      "SQLiteDatabaseDriver.getTableStructure(databasePath:table:)",
      "SQLiteDatabaseDriver.executeSQL(databasePath:query:)", "SQLiteDatabaseDriver.closeAll()", weight: 1
    ) { random, stage in
      let driver =
        random.bool() ? SQLiteDatabaseDriver() : SQLiteDatabaseDriver(searchPaths: [stage.directory.path])
      use(driver, &random, stage)
      driver.closeAll()
    },
    Act(
      "DatabaseDescriptor.init(name:path:sizeBytes:)",
      "TableDataResult.init(columns:rows:totalRows:types:isTruncated:error:)",
      "TableStructureResult.init(columns:sql:error:)",
      "ColumnInfo.init(name:type:isNullable:isPrimaryKey:defaultValue:)",
      "SQLExecutionResult.init(columns:rows:rowsAffected:error:types:isTruncated:)",
      "UserDefaultsSuiteDescriptor.init(name:displayName:entryCount:)", "KeyValuePair.init(key:value:type:)"
    ) { random, _ in
      _ = DatabaseDescriptor(name: random.string(), path: random.string(), sizeBytes: random.int64())
      _ = TableDataResult(columns: random.strings().keys.map { $0 }, rows: [[nil]], totalRows: random.int())
      let column = ColumnInfo(
        name: random.string(), type: random.string(), isNullable: random.bool(), isPrimaryKey: random.bool(),
        defaultValue: random.optional { $0.string() })
      _ = TableStructureResult(columns: [column])
      _ = SQLExecutionResult(
        columns: nil, rows: nil, rowsAffected: random.int(), error: random.optional { $0.string() })
      _ = UserDefaultsSuiteDescriptor(name: nil, displayName: random.string(), entryCount: random.int())
      _ = KeyValuePair(key: random.string(), value: random.optional { $0.string() }, type: .string)
    },
    Act(
      "UserDefaultsInspector.shared", "UserDefaultsInspector.isEnabled", "UserDefaultsInspector.setEnabled(_:)",
      "UserDefaultsInspector.getDriver()", "UserDefaultsInspector.setDriver(_:)",
      "UserDefaultsInspector.addChangeListener(_:)", "UserDefaultsInspector.removeChangeListener(_:)",
      "UserDefaultsInspector.startListening(suiteName:)", "UserDefaultsInspector.stopListening()", weight: 2
    ) { random, _ in
      let inspector = UserDefaultsInspector.shared
      // Before it is enabled: the person's own preferences are left alone.
      inspector.setDriver(OwnDefaults(random: random.next()))
      inspector.setEnabled(random.below(4) > 0)
      switch random.below(4) {
      case 0: inspector.startListening(suiteName: random.optional { $0.string() })
      case 1: inspector.stopListening()
      case 2: inspector.addChangeListener(OwnDefaults.Listener.shared)
      default: inspector.removeChangeListener(OwnDefaults.Listener.shared)
      }
      NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: nil)
      if inspector.isEnabled { _ = inspector.getDriver()?.getSuites() }
    },
  ]

  private static func use(_ driver: (any DatabaseDriver)?, _ random: inout Hostile, _ stage: Stage) {
    guard let driver else { return }
    let path = random.one(of: [
      stage.directory.appendingPathComponent("monkey.db").path, stage.directory.path, random.string(),
    ])
    _ = driver.getDatabases()
    _ = driver.getTables(databasePath: path)
    _ = driver.getTableData(databasePath: path, table: random.string(), limit: random.int(), offset: random.int())
    _ = driver.getTableStructure(databasePath: path, table: random.string())
    let statements = [
      "SELECT 1", "CREATE TABLE IF NOT EXISTS t (a)", "SELECT * FROM t", "ATTACH 'x' AS y", random.string(),
    ]
    _ = driver.executeSQL(databasePath: path, query: random.one(of: statements))
  }
}

/// Preferences of the app's own making, different each time.
private struct OwnDefaults: UserDefaultsDriver {
  var random: UInt64

  final class Listener: UserDefaultsChangeListener, Sendable {
    static let shared = Listener()
    func onPreferenceChanged(suiteName: String?, key: String?) { _ = key?.count }
  }

  func getSuites() -> [UserDefaultsSuiteDescriptor] { [] }
  func getValues(suiteName: String?) -> [KeyValuePair] {
    var random = Hostile(seed: random)
    return (0..<3).map { _ in
      KeyValuePair(
        key: random.string(), value: random.optional { $0.string() }, type: random.one(of: KeyValueType.allCases))
    }
  }
  func getValue(suiteName: String?, key: String) -> KeyValuePair? { nil }
  func setValue(suiteName: String?, key: String, value: Any?, type: KeyValueType) {}
  func removeValue(suiteName: String?, key: String) {}
  func clear(suiteName: String?) {}
}
