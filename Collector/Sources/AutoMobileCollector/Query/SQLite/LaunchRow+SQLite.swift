import GRDB

extension LaunchRow: FetchableRecord {
  static let select = """
    SELECT launch.id, launchId, bundleId, sdkVersion, launch.first, launch.last, recorded, dropped,
      (SELECT CAST(TOTAL(value) AS INTEGER) FROM json_each(dropped)), torn, final, stored, duplicates, quarantined,
      verdict, evidence, lastSeen, expired, kept
    FROM launch LEFT JOIN launch_end ON launch_end.owner = launch.owner AND launch_end.name = launch.given
    """

  init(row: Row) {
    place = PageCursor(key: 0, id: row[0])
    launchId = row[1]
    bundleId = row[2]
    sdkVersion = row[3]
    first = row[4]
    last = row[5]
    recorded = row[6]
    dropped = row[7]
    droppedSum = row[8]
    torn = row[9]
    isFinal = row[10]
    stored = row[11]
    duplicates = row[12]
    quarantined = row[13]
    let verdict: String? = row[14]
    end = verdict.map { ($0, row[15] ?? "", row[16]) }
    expired = row[17]
    kept = Self.kept(row[18], of: recorded, dropped: droppedSum, stored: stored, quarantined: quarantined)
  }
}
