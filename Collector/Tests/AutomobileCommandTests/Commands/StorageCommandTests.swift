import Foundation
import Testing

@testable import automobile

/// The command line, a real collector, and a process with the real SDK, a database and preferences.
@Suite(.serialized) struct `The storage of a running app from the command line` {
  private func withApp(
    opens: Bool = true, _ body: (_ ask: (String...) async throws -> Tool.Result, RecordingApp) async throws -> Void
  ) async throws {
    try await Served.with { served in
      let app = try RecordingApp(
        endpoint: served.url, directory: served.directory.appending(path: "app"), takesCommands: true)
      defer { app.kill() }
      if opens { try await app.openStorage() }
      let deadline = ContinuousClock.now + .seconds(60)
      while try await Tool.run("command", "--url", served.url, "--json").lines.isEmpty {
        try #require(ContinuousClock.now < deadline, "the app does not listen")
      }
      func ask(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(
          [arguments[0], RecordingApp.bundle] + arguments.dropFirst() + ["--url", served.url],
          environment: ["COLUMNS": "80"])
      }
      try await body(ask, app)
    }
  }

  @Test func `databases are listed, read and changed`() async throws {
    try await withApp { ask, _ in
      let list = try await ask("db")
      #expect(list.code == 0 && list.output.contains("shop.sqlite"), "\(list.errors)")
      #expect(list.lines.allSatisfy { $0.count <= 80 })
      #expect(try await ask("db", "tables", "shop.sqlite").output == "orders\n")
      let schema = try await ask("db", "schema", "shop.sqlite", "orders")
      #expect(schema.output.contains("primary") && schema.output.contains("CREATE TABLE orders"))

      let rows = try await ask("db", "rows", "shop.sqlite", "orders", "--limit", "5", "--offset", "245")
      #expect(rows.lines.count == 6 && rows.lines.allSatisfy { $0.count <= 80 })
      #expect(rows.output.contains("drink 250") && rows.output.contains("‹250 B›"))
      // What an app stored moves no cursor.
      #expect(rows.output.contains("\\u{1B}[31mred") && !rows.output.contains("\u{1B}"))
      #expect(rows.errors.contains("rows 246–250 of 250"))
      let first = try await ask("db", "rows", "shop.sqlite", "orders", "--limit", "2")
      #expect(first.errors.contains("more with --offset 2") && first.output.contains("NULL"))

      let count = try await ask("db", "query", "shop.sqlite", "SELECT count(*) AS n FROM orders", "--json")
      #expect(try JSON(text: count.output)["rows"] == [["250"]])
      let refused = try await ask("db", "query", "shop.sqlite", "DELETE FROM orders WHERE id > 10")
      #expect(refused.code == 1 && refused.errors.contains("confirm with --write"))
      let changed = try await ask("db", "query", "shop.sqlite", "DELETE FROM orders WHERE id > 10", "--write")
      #expect(changed.code == 0 && changed.errors.contains("240 rows changed"))
      let wrong = try await ask("db", "query", "shop.sqlite", "SELEC 1")
      #expect(wrong.code == 1 && wrong.errors.contains("syntax error"))
      let attached = try await ask("db", "query", "shop.sqlite", "ATTACH 'x' AS y", "--write")
      #expect(attached.code == 1 && attached.errors.contains("ATTACH opens another file"))
      let outside = try await ask("db", "tables", "/etc/passwd")
      #expect(outside.code == 1 && outside.errors.contains("no such database; available: shop.sqlite"))
    }
  }

  @Test func `preferences are listed, set, removed and cleared`() async throws {
    try await withApp { ask, _ in
      #expect(try await ask("defaults").errors.contains("Nothing is stored"))
      #expect(
        try await ask("defaults", "set", "name", "Lea \u{1B}[2J").output.contains("✓ name = Lea \\u{1B}[2J (string)"))
      #expect(try await ask("defaults", "set", "count", "3", "--type", "int").code == 0)
      // A value that is there keeps its type.
      #expect(try await ask("defaults", "set", "count", "4").output.contains("count = 4 (int)"))
      let wrong = try await ask("defaults", "set", "count", "many")
      #expect(wrong.code == 1 && wrong.errors.contains("expected a whole number"))
      #expect(try await ask("defaults", "set", "apiToken", "s3cr3t").output.contains("REDACTED"))
      let list = try await ask("defaults")
      #expect(list.lines.count == 4 && !list.output.contains("s3cr3t"))
      #expect(try await ask("defaults", "get", "count").output == "4\n")
      #expect(try await ask("defaults", "set", "a", "[1]", "--type", "array", "--suite", "com.example.other").code == 0)
      #expect(try await ask("defaults", "suites").output.contains("com.example.other"))
      #expect(try await ask("defaults", "remove", "name").output.contains("removed"))
      #expect(try await ask("defaults", "get", "name").errors.contains("no value for this key"))
      #expect(try await ask("defaults", "clear").code == 2)
      #expect(try await ask("defaults", "clear", "--yes").output.contains("2 values removed"))
    }
  }

  @Test func `what is switched off, and who is not there, is said with what to do`() async throws {
    try await withApp(opens: false) { ask, app in
      let off = try await ask("db")
      #expect(off.code == 1 && off.errors.contains("DatabaseInspector.shared.setEnabled(true)"))
      #expect(try await ask("defaults").errors.contains("UserDefaultsInspector.shared.setEnabled(true)"))
    }
    try await Served.with { served in
      let nobody = try await Tool.run("db", "com.example.nobody", "--url", served.url)
      #expect(nobody.code != 0 && nobody.errors.contains("must be a debug build"))
    }
    for wrong in [
      ["db"], ["db", "a.b", "rows", "x"], ["db", "a.b", "list", "x"], ["defaults", "a.b", "set", "k"],
      ["db", "a.b", "--limit", "501"],
    ] {
      #expect(try await Tool.run(wrong).code == 2, "\(wrong)")
    }
  }
}
