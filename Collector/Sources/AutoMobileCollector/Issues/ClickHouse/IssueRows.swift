import AutoMobileClickHouse

/// Reports that somebody has looked at, each once, as rows to ask of: what issues are made of.
struct IssueRows {
  let reading: ClickHouseReading
  let decisions: KnownDecisions
  /// The name of the issue in which a report is counted, where its column `fingerprint` is.
  let issue: SQL

  init(_ reading: ClickHouseReading, _ decisions: KnownDecisions) {
    self.reading = reading
    self.decisions = decisions
    let merges = decisions.merges.sorted { $0.key < $1.key }
    issue =
      merges.isEmpty
      ? "fingerprint"
      : """
      transform(fingerprint, \(SQLValue.strings(merges.map(\.key))), \(SQLValue.strings(merges.map(\.value.target))), \
      fingerprint)
      """
  }

  /// Their columns; ``range`` and ``filter`` of it may be added to.
  func rows(_ columns: [StaticString]) -> DistinctRows {
    var names: [StaticString] = ["fingerprint", "bundle", "revision"]
    for column in columns where !names.contains(where: { $0.description == column.description }) {
      names.append(column)
    }
    var rows = DistinctRows(TelemetryTables.reports, columns: names)
    rows.range = ["revision > 0"]
    return rows
  }

  /// The same of these issues only.
  ///
  /// A report may have been another one's before: so they are found by all that they were, and asked what they are.
  func rows(_ columns: [StaticString], of issues: some Sequence<String>) -> DistinctRows {
    let names = SQLValue.strings(Set(issues.flatMap { decisions.names(of: $0) }).sorted())
    let found = reading.copies(
      "launch, position", of: TelemetryTables.reports,
      ["revision > 0", "fingerprint IN (SELECT arrayJoin(\(names)))"], isOnShard: true)
    var rows = rows(columns)
    rows.range.append("(launch, position) IN (\(found.sql))")
    rows.filter.append("\(issue) IN (SELECT arrayJoin(\(SQLValue.strings(Set(issues).sorted()))))")
    return rows
  }

  /// - Parameter selected: behind the app and the name of the issue, as `bundle` and `issue`.
  func statement(_ rows: DistinctRows, _ selected: [SQL], isOnShard: Bool = false) -> SeenSQL {
    reading.distinct(rows, selecting: ["bundle", "\(issue) AS issue"] + selected, isOnShard: isOnShard)
  }
}

/// What an issue is told apart by.
struct IssueKey: Hashable, Sendable {
  var bundle: String
  var name: String

  init(_ row: inout RowBinaryReader) throws { (bundle, name) = (try row.string(), try row.string()) }
}
