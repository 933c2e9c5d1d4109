/// A table of telemetry: on each shard one that holds its rows (`…_local`), and, where there are several shards, one of the plain
/// name through which all are read.
package struct TelemetryTable: Sendable {
  package enum Engine: Sendable {
    /// Rows of one sorting key are one when parts are merged: the one that came first, or last.
    case keepingFirst, keepingLast
    /// The one with the largest number in a column `later`: who came last may have been late.
    case keepingLatest
    /// The one with the largest number in a column `revision`; of those as they came, with a 0 there, the one that came first.
    case keepingNewest
    /// It keeps nothing, and hands its rows on to the table that is made of it.
    case passing
  }

  package var name: String
  package var columns: [TableColumn]
  var engine: Engine
  /// Rows lie in the order of these, and are found by the first of them.
  var order: [StaticString]
  /// What one row is called by: those of the same are one row that has come again, whatever has been merged yet.
  package var identity: [SQLName]
  /// Searched in blocks by what is in them: a column, and ClickHouse's kind of index. In the current form only.
  var indexes: [(column: StaticString, kind: StaticString)] = []
  /// So many rows are found and read together. Of a table in which one session is looked for after the other, and of which a row is
  /// long, few: what is read of it besides what was meant is most of the time that a question takes.
  var granularity = 8192

  package var localName: SQLName { SQLName(trusted: "\(name)_local") }
  package var sharedName: SQLName { SQLName(trusted: name) }

  /// The names of the columns in the order in which rows are written.
  package func columnNames(_ dialect: Dialect) -> [String] { columns.flatMap { $0.names(dialect) } }

  // MARK: Statements

  /// Of rows that are one, the one to read is the first in this order.
  package var preference: SQL {
    switch engine {
    case .keepingFirst: "`id`"
    case .keepingLatest: "`later` DESC, `received` DESC"
    case .keepingNewest: "`revision` DESC, `id`"
    case .keepingLast, .passing: "`received` DESC"
    }
  }

  func create(in database: SQLName, _ dialect: Dialect) -> SQL {
    var parts = columns.flatMap { $0.definitions(dialect) }
    var ending = "Null"
    if let rank {
      parts.append("`rank` UInt64 DEFAULT \(rank)")
      if dialect == .current {
        parts += indexes.map { "INDEX `\($0.column)_index` `\($0.column)` TYPE \($0.kind) GRANULARITY 1" }
      }
      let keys = order.map { "`\($0)`" }.joined(separator: ", ")
      // By the day alone: who may make up apps would make partitions of them, and with too many parts a server takes nothing in.
      ending = "ReplacingMergeTree(`rank`) PARTITION BY `day` ORDER BY (\(keys))"
      ending += " SETTINGS index_granularity = \(granularity)"
      // A block that comes again is known by its contents.
      if dialect == .current { ending += ", non_replicated_deduplication_window = 1000, \(Self.synced)" }
    }
    return SQL(
      trusted: """
        CREATE TABLE IF NOT EXISTS \(database.quoted).\(localName.quoted) (\(parts.joined(separator: ", "))) \
        ENGINE = \(ending)
        """)
  }

  /// What is confirmed is on the disk, not only in the memory of the machine. In the current form only: 18.16 cannot. Merged parts need
  /// no more: those that they are made of stay for some minutes.
  static let synced = "fsync_after_insert = 1, fsync_part_directory = 1"

  /// What the engine compares rows by: it keeps the one with the largest, and takes none below 0.
  private var rank: String? {
    switch engine {
    case .keepingFirst: "toUInt64(9223372036854775807 - `id`)"
    case .keepingLast: "toUInt64(greatest(`received`, 0))"
    case .keepingLatest: "toUInt64(greatest(`later`, 0))"
    case .keepingNewest:
      "if(`revision` > 0, toUInt64(`revision`) + 9223372036854775808, toUInt64(9223372036854775807 - `id`))"
    case .passing: nil
    }
  }

  /// The table through which those of all shards are read. Rows that are put into it go where ``ShardMap`` says, too.
  func createShared(in database: SQLName, cluster: SQLName) -> SQL {
    SQL(
      trusted: """
        CREATE TABLE IF NOT EXISTS \(database.quoted).\(sharedName.quoted) AS \(database.quoted).\(localName.quoted) \
        ENGINE = Distributed(\(cluster.quoted), \(database.quoted), \(localName.quoted), `shard`)
        """)
  }

  package func insert(in database: SQLName, _ dialect: Dialect) -> SQL {
    SQL(
      trusted: "INSERT INTO \(database.quoted).\(localName.quoted) (\(columnNames(dialect).joined(separator: ", ")))")
  }

  /// Takes the rows of a day away, all at once: on one shard.
  package func drop(day: Int64, in database: SQLName) -> SQL {
    SQL(trusted: "ALTER TABLE \(database.quoted).\(localName.quoted) DROP PARTITION '\(CivilDay(day).description)'")
  }
}

/// A day as a date is written.
struct CivilDay: CustomStringConvertible {
  var year: Int64
  var month: Int64
  var day: Int64

  /// - Parameter days: since 1970.
  init(_ days: Int64) {
    // Counted from March of the year 0, so that a leap day is the last of its year.
    let shifted = min(max(days, 0), 65535) + 719_468
    let era = shifted / 146_097
    let ofEra = shifted % 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    day = ofYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var description: String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(day))"
  }
}
