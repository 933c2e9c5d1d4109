/// What has to be said with each insert so that it means the same on all releases.
package enum InsertSettings {
  package static let wanted: [(name: String, value: String)] = [
    // Otherwise the server collects rows by itself, and what it confirms is of its own choosing.
    ("async_insert", "0"),
    // Rows of many days may come together; each has a partition of its own.
    ("max_partitions_per_insert_block", "0"),
  ]

  /// What to ask a server for: one that does not know a setting refuses the insert.
  package static var question: SQL {
    "SELECT name FROM system.settings WHERE name IN (\(SQL.joined(wanted.map { "\(text: $0.name)" }, ", ")))"
  }

  /// Those that all hosts know.
  static func known(to hosts: [ClickHouseAddress.Host], _ client: ClickHouseClient) async throws -> [(String, String)] {
    var settings = wanted
    for host in hosts {
      let names = Set(try await client.only([host]).rows(question) { try $0.string() })
      settings = settings.filter { names.contains($0.name) }
    }
    return settings.map { ($0.name, $0.value) }
  }
}
