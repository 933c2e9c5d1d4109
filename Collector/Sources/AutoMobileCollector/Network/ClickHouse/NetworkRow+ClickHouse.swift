import AutoMobileClickHouse

extension NetworkRow {
  /// ``isUnfinished``.
  static let isUnfinished: SQL = "isNull(status) AND isNull(error) AND failed = 0"

  /// In the order in which they are read.
  static let names: [SQLName] = [
    "id", "timestamp", "method", "host", "path", "query", "route", "status", "duration", "sent", "got", "failed",
    "error",
    "tracer", "mock", "operation", "project", "session",
  ]

  /// What ``names`` has, without what its session says.
  static func read(_ row: inout RowBinaryReader) throws -> (request: NetworkRow, session: SessionFact.Name) {
    let request = NetworkRow(
      event: try row.int(), timestamp: try row.int(), method: try row.string(), host: try row.string(),
      path: try row.string(), query: try row.nullable { try $0.string() }, route: try row.string(),
      status: try row.nullable { try $0.int() }, duration: try row.nullable { try $0.int() },
      sent: try row.nullable { try $0.int() }, received: try row.nullable { try $0.int() }, hasFailed: try row.bool(),
      error: try row.nullable { try $0.string() }, tracer: try row.nullable { try $0.string() },
      mock: try row.nullable { try $0.string() }, operation: try row.nullable { try $0.string() }, sessionId: "")
    let name = SessionFact.Name(project: try row.string(), session: try row.string())
    var named = request
    named.sessionId = name.session
    return (named, name)
  }

  /// What its session says.
  mutating func add(_ fact: SessionFact?) { (userId, bundleId) = (fact?.user, fact?.bundle) }
}
