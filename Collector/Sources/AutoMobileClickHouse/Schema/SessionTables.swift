/// Sessions, for their list. What a batch tells of a session is put into ``parts``, from which a view adds it up.
///
/// Everything in it is a least, a greatest, a last or a set: what is put in twice changes nothing, so a batch that comes again
/// needs no memory of the first. Counts are not like that: ``EventCountTable`` has them.
package enum SessionTables {
  package static let parts = TelemetryTable(
    name: "session_parts",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .text), TableColumn("session", .text),
      TableColumn("first", .int), TableColumn("last", .int), TableColumn("received", .int),
      // Empty: not told. The newest that is told counts, by `told`, which is the number of the record that told it.
      TableColumn("told", .int), TableColumn("bundle", .text), TableColumn("version", .text),
      TableColumn("user", .text), TableColumn("tags", .text), TableColumn("device", .text),
      TableColumn("screen", .text), TableColumn("visited", .int), TableColumn("failed", .byte),
      TableColumn("types", .texts), TableColumn("screens", .texts), TableColumn("day", .day),
      // Those that it was in.
      TableColumn("launches", .texts),
    ],
    engine: .passing, order: [], identity: [])

  /// A column of the table of sessions: what it is made of, and how.
  private struct Sum {
    var name: String
    var function: String
    var arguments: String
    var types: String

    var definition: String { "`\(name)` AggregateFunction(\(function), \(types))" }
    var state: String { "\(function)State(\(arguments)) AS `\(name)`" }
    var merged: String { "\(function)Merge(`\(name)`)" }
  }

  private static func told(_ name: String, at: String = "told") -> Sum {
    Sum(
      name: name, function: "argMaxIf", arguments: "`\(name)`, `\(at)`, notEmpty(`\(name)`)",
      types: "String, Int64, UInt8")
  }

  private static let sums: [Sum] = [
    Sum(name: "first", function: "min", arguments: "`first`", types: "Int64"),
    Sum(name: "last", function: "max", arguments: "`last`", types: "Int64"),
    Sum(name: "received", function: "max", arguments: "`received`", types: "Int64"),
    told("bundle"), told("version"), told("user"), told("tags"), told("device"), told("screen", at: "visited"),
    Sum(name: "failed", function: "max", arguments: "`failed`", types: "UInt8"),
    Sum(name: "types", function: "groupUniqArrayArray", arguments: "`types`", types: "Array(String)"),
    Sum(name: "screens", function: "groupUniqArrayArray", arguments: "`screens`", types: "Array(String)"),
    Sum(name: "launches", function: "groupUniqArrayArray", arguments: "`launches`", types: "Array(String)"),
  ]

  static let localName = SQLName(trusted: "sessions_local")
  static let sharedName = SQLName(trusted: "sessions")
  private static let view = SQLName(trusted: "sessions_view")

  static func create(in database: SQLName, _ dialect: Dialect) -> [SQL] {
    let name = database.quoted
    let definitions = sums.map(\.definition).joined(separator: ", ")
    let states = sums.map(\.state).joined(separator: ", ")
    let ending = dialect == .current ? " SETTINGS \(TelemetryTable.synced)" : ""
    return [
      SQL(
        trusted: """
          CREATE TABLE IF NOT EXISTS \(name).\(localName.quoted) (`shard` UInt64, `project` String, `session` String, \
          `day` Date, \(definitions)) ENGINE = AggregatingMergeTree PARTITION BY `day` \
          ORDER BY (`project`, `session`, `shard`)\(ending)
          """),
      SQL(
        trusted: """
          CREATE MATERIALIZED VIEW IF NOT EXISTS \(name).\(view.quoted) TO \(name).\(localName.quoted) AS \
          SELECT `shard`, `project`, `session`, `day`, \(states) FROM \(name).\(parts.localName.quoted) \
          GROUP BY `shard`, `project`, `session`, `day`
          """),
    ]
  }

  static func createShared(in database: SQLName, cluster: SQLName) -> SQL {
    let name = database.quoted
    return SQL(
      trusted: """
        CREATE TABLE IF NOT EXISTS \(name).\(sharedName.quoted) AS \(name).\(localName.quoted) \
        ENGINE = Distributed(\(cluster.quoted), \(name), \(localName.quoted), `shard`)
        """)
  }

  /// What a column says of a session, in a statement that is grouped by project and session.
  package static func value(_ name: String) -> SQL? { sums.first { $0.name == name }.map { SQL(trusted: $0.merged) } }
}
