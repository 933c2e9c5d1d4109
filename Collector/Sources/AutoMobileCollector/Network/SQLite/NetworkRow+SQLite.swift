import GRDB

extension NetworkRow: FetchableRecord {
  /// ``isUnfinished``.
  static let unfinished = "(network.status IS NULL AND network.error IS NULL AND network.failed = 0)"

  static let columns = """
    network.event, network.timestamp, method, network_host.name, path, query, pattern, status, duration, sent, network.received,
    failed, error, tracer, mock, operation, sessionId, userId, bundleId
    """
  static let joins = """
     JOIN network_host ON network_host.id = network.host JOIN network_route ON network_route.id = network.route
     JOIN session ON session.id = network.session
    """

  init(row: Row) {
    event = row[0]
    timestamp = row[1]
    method = row[2]
    host = row[3]
    path = row[4]
    query = row[5]
    route = row[6]
    status = row[7]
    duration = row[8]
    sent = row[9]
    received = row[10]
    hasFailed = row[11]
    error = row[12]
    tracer = row[13]
    mock = row[14]
    operation = row[15]
    sessionId = row[16]
    userId = row[17]
    bundleId = row[18]
  }
}
