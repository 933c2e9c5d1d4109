import ArgumentParser
import Foundation

/// `automobile db APP …`: the databases of a running debug build.
struct DatabaseCommand: AsyncParsableCommand {
  enum Verb: String, CaseIterable, ExpressibleByArgument {
    case list, tables, schema, rows, query
  }

  static let configuration = CommandConfiguration(
    commandName: "db", abstract: "Inspect the databases of a running debug build.",
    discussion: """
      automobile db com.example.app                                        which databases it has
      automobile db com.example.app tables shop.sqlite
      automobile db com.example.app schema shop.sqlite orders
      automobile db com.example.app rows shop.sqlite orders --offset 100
      automobile db com.example.app query shop.sqlite "SELECT count(*) FROM orders"
      automobile db com.example.app query shop.sqlite "DELETE FROM orders" --write

      The app allows it by DatabaseInspector.shared.setEnabled(true). Statements that change something need --write; ATTACH, \
      transactions and several statements at once are never executed. With --json: the app's answer.
      """)

  @Argument(help: "The app's bundle id, or the beginning of a launch's id.")
  var app: String

  @Argument(help: "What to do.")
  var verb = Verb.list

  @Argument(help: "The database's name or path, then a table or a statement.")
  var arguments: [String] = []

  @Option(help: "Maximum number of rows, up to 500.")
  var limit = 100

  @Option(help: "Rows to skip.")
  var offset = 0

  @Flag(help: "The statement may change the app's data.")
  var write = false

  @OptionGroup var storage: StorageOptions

  private static let wanted: [Verb: [String]] = [
    .list: [], .tables: ["a database"], .schema: ["a database", "a table"], .rows: ["a database", "a table"],
    .query: ["a database", "a statement"],
  ]

  func validate() throws {
    let wanted = Self.wanted[verb] ?? []
    guard arguments.count == wanted.count else {
      let needs = wanted.isEmpty ? "no more arguments" : wanted.joined(separator: " and ")
      throw ValidationError("“\(verb.rawValue)” needs \(needs); see --help.")
    }
    guard (1...500).contains(limit), offset >= 0 else {
      throw ValidationError("--limit must be from 1 to 500, and --offset at least 0.")
    }
  }

  func run() async throws {
    let console = Console.standard
    let app = try storage.connection(to: app)
    let database = JSON(arguments.first)
    let table = JSON(arguments.last)
    let answer: JSON
    switch verb {
    case .list: answer = try await app.ask("databases")
    case .tables: answer = try await app.ask("database.tables", ["database": database, "offset": JSON(offset)])
    case .schema: answer = try await app.ask("database.structure", ["database": database, "table": table])
    case .rows:
      answer = try await app.ask(
        "database.rows", ["database": database, "table": table, "limit": JSON(limit), "offset": JSON(offset)])
    case .query:
      answer = try await app.ask(write ? "database.execute" : "database.query", ["database": database, "sql": table])
    }
    if storage.isJSON { return console.out(answer.line) }
    switch verb {
    case .list: showDatabases(answer, console)
    case .tables: showTables(answer, console)
    case .schema: showSchema(answer, console)
    case .rows, .query: showRows(answer, console)
    }
  }

  private func showDatabases(_ answer: JSON, _ console: Console) {
    let databases = answer["databases"]?.array ?? []
    guard !databases.isEmpty else {
      return console.note("No databases found in the app.")
    }
    var table = Table(columns: [
      .init(title: "NAME", minimum: 10, paint: { $0.cyan($1) }), .init(title: "SIZE", alignsRight: true),
      .init(title: "PATH", minimum: 16, rank: 1, paint: { $0.dim($1) }),
    ])
    table.rows = databases.map { database in
      [
        Printable.text(database["name"]?.text ?? ""), Format.bytes(database["sizeBytes"]?.int ?? 0),
        Printable.text(database["path"]?.text ?? ""),
      ]
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }

  private func showTables(_ answer: JSON, _ console: Console) {
    let tables = answer["tables"]?.array ?? []
    for table in tables { console.out(Printable.text(table.text)) }
    let total = answer["total"]?.int ?? tables.count
    if tables.isEmpty { console.note("The database has no tables.") }
    if offset + tables.count < total {
      console.note("\(total - offset - tables.count) more: --offset \(offset + tables.count)")
    }
  }

  private func showSchema(_ answer: JSON, _ console: Console) {
    var table = Table(columns: [
      .init(title: "COLUMN", minimum: 10, paint: { $0.cyan($1) }), .init(title: "TYPE", minimum: 6),
      .init(title: "NULL", rank: 1), .init(title: "KEY", rank: 2), .init(title: "DEFAULT", minimum: 8, rank: 3),
    ])
    table.rows = (answer["columns"]?.array ?? []).map { column in
      [
        Printable.text(column["name"]?.text ?? ""), Printable.text(column["type"]?.text ?? ""),
        column["isNullable"]?.bool == false ? "no" : "yes", column["isPrimaryKey"]?.bool == true ? "primary" : "",
        Printable.text(column["defaultValue"]?.text ?? ""),
      ]
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
    guard let sql = answer["sql"]?.string else { return }
    console.out()
    for line in sql.split(separator: "\n", omittingEmptySubsequences: false) {
      console.out(Printable.text(String(line)))
    }
  }

  private func showRows(_ answer: JSON, _ console: Console) {
    let result = RowsTable(answer)
    for line in result.lines(width: console.width, style: console.style) { console.out(line) }
    for note in result.notes(isPage: verb == .rows) { console.note(console.errorStyle.dim(note)) }
  }
}
