import ArgumentParser
import AutoMobileCollector

/// `automobile store migrate`.
struct StoreMigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Make the tables in ClickHouse and PostgreSQL, or bring them up to date.",
    discussion: """
      A collector does the same when it starts; this does it before. Done once more, it changes nothing.

      The password of ClickHouse is in CLICKHOUSE_PASSWORD, or in the file that CLICKHOUSE_PASSWORD_FILE names.
      """)

  @Option(help: ArgumentHelp("Where telemetry is: clickhouse://USER@HOST/DATABASE.", valueName: "place"))
  var store = "folder"

  @Option(help: ArgumentHelp("Where the state is: postgres://USER@HOST/DATABASE.", valueName: "place"))
  var state = "folder"

  @Flag(help: "Print the result as JSON.")
  var json = false

  func validate() throws {
    guard try StoreOptions.telemetry(store) != .folder || StoreOptions.statePlace(state) != .folder else {
      throw ValidationError("Name --store clickhouse://…, --state postgres://…, or both.")
    }
  }

  func run() async throws {
    let (place, state) = (try StoreOptions.telemetry(store), try StoreOptions.statePlace(state))
    let done = try await StoreOptions.explained {
      try await StoreOptions.onThread { try StoreMigration.run(place, state: state) }
    }
    let console = Console.standard
    if json {
      let line: JSON = [
        "clickhouse": done.version.map { .string($0) } ?? .null, "shards": JSON(done.shards),
        "state": .bool(done.hasState),
      ]
      return console.out(line.line)
    }
    if let version = done.version {
      console.out(
        "ClickHouse \(Printable.text(version)), \(Format.count(done.shards)) shards: its tables are as this version needs them"
      )
    }
    if done.hasState { console.out("PostgreSQL: its tables are as this version needs them") }
  }
}
