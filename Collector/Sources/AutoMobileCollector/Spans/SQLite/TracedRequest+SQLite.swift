import GRDB

extension TracedRequest: FetchableRecord {
  init(row: Row) {
    request = NetworkRow(row: row)
    span = row["span"]
    parent = row["parent"]
  }
}
