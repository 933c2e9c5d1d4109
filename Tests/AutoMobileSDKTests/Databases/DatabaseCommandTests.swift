import Foundation
import Testing

@testable import AutoMobileInspection
@testable import AutoMobileRecorder

@Suite struct `Database commands` {
  private let directory: TemporaryDirectory
  private let inspector = DatabaseInspector()
  private let registry = CommandRegistry(access: .all)

  init() throws {
    directory = try TemporaryDirectory()
    inspector.setDriver(SQLiteDatabaseDriver.at(directory))
    inspector.setEnabled(true)
    DatabaseCommands(inspector: inspector).register(in: registry)
  }

  private func run(
    _ name: String, _ arguments: MetadataValue = [:], in registry: CommandRegistry? = nil
  ) async throws -> CommandOutcome {
    let command = try ControlCommand(
      ControlValue("c", ["id": "1", "command": .string(name), "arguments": arguments, "timeoutSeconds": 30]))
    return await withCheckedContinuation { continuation in
      (registry ?? self.registry).run(command) { continuation.resume(returning: $0) }
    }
  }

  private func result(_ name: String, _ arguments: MetadataValue = [:]) async throws -> [String: MetadataValue] {
    let outcome = try await run(name, arguments)
    guard case .result(.object(let members)) = outcome else {
      Issue.record("\(outcome)")
      return [:]
    }
    return members
  }

  private func failure(_ name: String, _ arguments: MetadataValue) async throws -> (code: String, message: String) {
    let outcome = try await run(name, arguments)
    guard case .failed(let code, let message) = outcome else {
      Issue.record("\(outcome)")
      return ("", "")
    }
    return (code, message)
  }

  @Test func `databases, tables, structure, rows and statements are answered over the control channel`() async throws {
    let database = try TestDatabase(
      directory, "shop.db", "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)", "INSERT INTO t VALUES (1, 'x'), (2, NULL)"
    )
    let databases = try await result("databases")
    guard case .array(let listed)? = databases["databases"], case .object(let first)? = listed.first else {
      Issue.record("\(databases)")
      return
    }
    #expect(first["path"] == .string(database.path) && first["name"] == "shop.db")
    // By its name as well as by its path.
    let tables = try await result("database.tables", ["database": "shop.db"])
    #expect(tables == ["tables": ["t"], "total": 1])
    let rows = try await result(
      "database.rows", ["database": .string(database.path), "table": "t", "limit": 1, "offset": 1])
    #expect(
      rows == [
        "columns": ["a", "b"], "rows": [["2", .null]], "types": ["in"], "offset": 1, "totalRows": 2,
        "isTruncated": false,
      ])
    let structure = try await result("database.structure", ["database": "shop.db", "table": "t"])
    #expect(structure["sql"]?.text.hasPrefix("CREATE TABLE t") == true)
    let query = try await result("database.query", ["database": "shop.db", "sql": "SELECT count(*) FROM t"])
    #expect(query["rows"] == [["2"]])
    let write: MetadataValue = ["database": "shop.db", "sql": "DELETE FROM t"]
    #expect(try await failure("database.query", write).code == "is_write")
    #expect(try await result("database.execute", write)["rowsAffected"] == 2)
    #expect(try database.value("SELECT count(*) FROM t") == "0")
  }

  @Test func `secrets are told no more than those of preferences`() async throws {
    _ = try TestDatabase(
      directory, "shop.db",
      "CREATE TABLE people (name TEXT, access_token TEXT, pin INTEGER, photo BLOB, settings TEXT)",
      #"INSERT INTO people VALUES ('mira', 's3cr3t', 1234, x'00FF', '{"theme":"dark","password":"s3cr3t"}')"#,
      "INSERT INTO people VALUES ('see https://a.example/?token=s3cr3t', NULL, NULL, NULL, 'plain')")
    let told: MetadataValue = [
      ["mira", "REDACTED", "REDACTED", "AP8=", #"{"theme":"dark","password":"REDACTED"}"#],
      ["see https://a.example/?token=REDACTED", .null, .null, .null, "plain"],
    ]
    let rows = try await result("database.rows", ["database": "shop.db", "table": "people"])
    #expect(rows["rows"] == told)
    #expect(rows["types"] == ["tttbt", "tnnnt"])
    for command in ["database.query", "database.execute"] {
      let answer = try await result(command, ["database": "shop.db", "sql": "SELECT * FROM people"])
      #expect(answer["rows"] == told, "\(command)")
    }
  }

  @Test func `no file is opened but the databases of the app`() async throws {
    _ = try TestDatabase(directory, "shop.db", "CREATE TABLE t (a)")
    let other = try TemporaryDirectory()
    let secret = try TestDatabase(other, "secret.db", "CREATE TABLE t (a)").path
    let tricks = [
      secret, directory.url.path + "/../" + other.url.lastPathComponent + "/secret.db", "../secret.db", "",
      "/etc/passwd",
      "file:" + secret, ":memory:", directory.url.path, "shop.db\0",
    ]
    for path in tricks {
      for name in ["database.tables", "database.rows", "database.structure", "database.query", "database.execute"] {
        let failure = try await failure(
          name, ["database": .string(path), "table": "t", "sql": "SELECT 1"])
        #expect(failure.code == "invalid_arguments" && failure.message.contains("no such database"), "\(path)")
      }
    }
  }

  @Test func `two databases of one name must be told by their paths`() async throws {
    for folder in ["one", "two"] {
      try FileManager.default.createDirectory(at: directory.file(folder), withIntermediateDirectories: true)
      _ = try TestDatabase(directory, "\(folder)/a.db", "CREATE TABLE t (a)")
    }
    let message = try await failure("database.tables", ["database": "a.db"]).message
    #expect(message.contains("there are 2 databases with this name"))
  }

  @Test(
    arguments: [
      ["database": "shop.db"], ["database": "shop.db", "table": 3], ["table": "t"],
      ["database": ["shop.db"], "table": "t"],
      ["database": "shop.db", "table": "t", "limit": 501], ["database": "shop.db", "table": "t", "offset": -1],
      ["database": "shop.db", "table": "t", "limit": "many"], [1], "text", .null,
    ] as [MetadataValue])
  func `arguments of the wrong kind are named`(arguments: MetadataValue) async throws {
    _ = try TestDatabase(directory, "shop.db", "CREATE TABLE t (a)")
    #expect(try await failure("database.rows", arguments).code == "invalid_arguments")
  }

  @Test func `an answer of hostile values is never longer than an answer may be`() async throws {
    _ = try TestDatabase(
      directory, "shop.db", "CREATE TABLE t (a, b)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
      INSERT INTO t SELECT replace(hex(zeroblob(i * 200)), '0', char(i % 32)), zeroblob(i * 500) FROM n
      """)
    var offset: Int64 = 0
    while offset < 120 {
      let arguments: MetadataValue = ["database": "shop.db", "table": "t", "limit": 500, "offset": .int(offset)]
      let outcome = try await run("database.rows", arguments)
      let size = try JSONEncoder().encode(outcome.json).count
      #expect(size <= CommandRegistry.maximumResult, "\(size)")
      guard case .result(.object(let members)) = outcome, case .array(let rows)? = members["rows"] else {
        Issue.record("\(outcome)")
        return
      }
      try #require(!rows.isEmpty)
      offset += Int64(rows.count)
    }
  }

  @Test func `what is switched off, and what may not be changed, says so`() async throws {
    _ = try TestDatabase(directory, "shop.db", "CREATE TABLE t (a)")
    let readOnly = CommandRegistry(access: .readOnly)
    DatabaseCommands(inspector: inspector).register(in: readOnly)
    #expect(!readOnly.names.contains("database.execute") && readOnly.names.contains("database.query"))
    let refused = try await run("database.execute", ["database": "shop.db", "sql": "DELETE FROM t"], in: readOnly)
    guard case .failed("not_allowed", _) = refused else {
      Issue.record("\(refused)")
      return
    }
    inspector.setEnabled(false)
    let failure = try await failure("databases", [:])
    #expect(failure.code == "switched_off" && failure.message.contains("DatabaseInspector.shared.setEnabled(true)"))
  }
}
