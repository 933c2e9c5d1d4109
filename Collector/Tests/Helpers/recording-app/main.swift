// An app with the real SDK that does what it is told, line by line:
//
//   record N   records N events
//   flush      tells the collector what is to be told now
//   deny       the user denies consent
//   status     prints the diagnostics as a line of JSON
//   storage    makes a database and preferences in its directory, lets both be looked at, and says so
//   get URL    asks for it in a session that is recorded, and prints the answer as a line of JSON
//
// Started as: recording-app ENDPOINT DIRECTORY none|all [keep]: with `keep` everything stays on the device until it is asked for
import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let arguments = CommandLine.arguments
guard (4...5).contains(arguments.count), let endpoint = URL(string: arguments[1]) else { exit(64) }
// Preferences lie below the home directory.
setenv("HOME", arguments[2], 1)
let sdk = AutoMobileSDK.shared
var configuration = AutoMobileConfiguration(
  endpoint: endpoint, apiKey: "app-key-1", flushIntervalMs: 20,
  storage: .directory(URL(fileURLWithPath: arguments[2], isDirectory: true)),
  remoteCommands: RemoteCommandAccess(rawValue: arguments[3]) ?? .none)
if arguments.last == "keep" { configuration.upload = .whenTriggered(UploadRules([])) }
sdk.initialize(bundleId: "com.example.recording", configuration: configuration)

let network = URLSessionConfiguration.ephemeral
AutoMobileNetwork.shared.register(in: network)
let session = URLSession(configuration: network)

struct Answer: Codable {
  var status: Int?
  var body: String?
  var error: Int?
}

func get(_ url: URL) async -> Answer {
  do {
    let (body, response) = try await session.data(from: url)
    return Answer(status: (response as? HTTPURLResponse)?.statusCode, body: String(decoding: body, as: UTF8.self))
  } catch {
    return Answer(error: (error as NSError).code)
  }
}

func say(_ value: some Encodable) {
  let json = (try? JSONEncoder().encode(value)) ?? Data("{}".utf8)
  FileHandle.standardOutput.write(json + Data("\n".utf8))
}

func openStorage() {
  let database = arguments[2] + "/shop.sqlite"
  _ = FileManager.default.createFile(atPath: database, contents: nil)
  let driver = SQLiteDatabaseDriver(searchPaths: [arguments[2]])
  for statement in [
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, drink TEXT NOT NULL DEFAULT 'latte', note TEXT, receipt BLOB)",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
    INSERT INTO orders SELECT i, 'drink ' || i, CASE WHEN i % 2 THEN char(27) || '[31mred' END, zeroblob(i) FROM n
    """,
  ] { _ = driver.executeSQL(databasePath: database, query: statement) }
  DatabaseInspector.shared.setDriver(driver)
  sdk.setEnabled(true, for: [.databases, .userDefaults])
}

while let line = readLine() {
  let words = line.split(separator: " ")
  switch words.first {
  case "record":
    for n in 0..<(Int(words.last ?? "") ?? 1) { sdk.trackEvent(name: "event", properties: ["n": String(n)]) }
  case "storage":
    openStorage()
    say(["ready": true])
  case "flush": sdk.flush()
  case "deny": sdk.setConsent(.denied)
  case "status": say(sdk.diagnostics)
  case "get":
    if let url = URL(string: String(words.last ?? "")) { say(await get(url)) }
  default: break
  }
}
