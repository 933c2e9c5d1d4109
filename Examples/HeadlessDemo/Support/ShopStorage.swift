import AutoMobileSDK
import Foundation

/// What the app keeps on the device: a small database and preferences, both in the demo's directory. The viewer's page
/// *Storage* and `automobile db` show them while the app runs.
enum ShopStorage {
  static let suite = "com.example.roastery"

  /// Before anything asks for preferences: these lie below the home directory, which is the demo's from now on.
  static func useHome(in directory: URL) {
    let home = directory.appendingPathComponent("Home", isDirectory: true)
    try? FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    for name in ["HOME", "CFFIXED_USER_HOME"] { setenv(name, home.path, 1) }
  }

  /// Makes both anew, and then lets them be looked at, so that what is there now is no change.
  static func open(in directory: URL) {
    let documents = directory.appendingPathComponent("Documents", isDirectory: true)
    try? FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
    let driver = SQLiteDatabaseDriver(searchPaths: [documents.path])
    fill(documents.appendingPathComponent("shop.sqlite"), driver)
    DatabaseInspector.shared.setDriver(driver)
    AutoMobileSDK.shared.setEnabled(true, for: .databases)

    let defaults = UserDefaults(suiteName: suite)
    defaults?.set("oat", forKey: "favourite.milk")
    defaults?.set(["flat-white", "filter-kenya"], forKey: "recent.drinks")
    defaults?.set(true, forKey: "onboarding.done")
    defaults?.set(4.5, forKey: "average.rating")
    defaults?.set("s3cr3t-loyalty-token", forKey: "loyalty.token")
    UserDefaultsInspector.shared.startListening(suiteName: suite)
    AutoMobileSDK.shared.setEnabled(true, for: .userDefaults)
  }

  /// An empty file is an empty database.
  private static func fill(_ file: URL, _ driver: SQLiteDatabaseDriver) {
    try? FileManager.default.removeItem(at: file)
    FileManager.default.createFile(atPath: file.path, contents: nil)
    let statements = [
      "CREATE TABLE drinks (id TEXT PRIMARY KEY, name TEXT NOT NULL, price REAL, seasonal INTEGER NOT NULL DEFAULT 0)",
      """
      INSERT INTO drinks VALUES ('flat-white', 'Flat white', 4.2, 0), ('filter-kenya', 'Filter, Kenya', 3.4, 0),
        ('cardamom-latte', 'Cardamom latte', 4.8, 1), ('espresso', 'Espresso', 2.6, 0)
      """,
      "CREATE TABLE orders (number INTEGER PRIMARY KEY, drink TEXT REFERENCES drinks (id), paid REAL, receipt BLOB)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO orders SELECT 2000 + i, CASE i % 3 WHEN 0 THEN 'flat-white' WHEN 1 THEN 'espresso' END,
        round(2.6 + i % 7 * 0.3, 2), CASE WHEN i % 5 = 0 THEN randomblob(24) END FROM n
      """,
      "CREATE VIEW popular AS SELECT drink, count(*) AS sold FROM orders GROUP BY drink ORDER BY sold DESC",
    ]
    for statement in statements { _ = driver.executeSQL(databasePath: file.path, query: statement) }
  }
}
