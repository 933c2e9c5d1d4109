import GRDB

extension QuarantineRow: FetchableRecord {
  init(row: Row) {
    id = row[0]
    launchId = row[1]
    sequence = row[2]
    kind = row[3]
    receivedAt = row[4]
    reason = row[5]
    payload = row[6]
    length = row[7]
  }
}
