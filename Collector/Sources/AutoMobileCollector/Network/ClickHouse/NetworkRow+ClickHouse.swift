import AutoMobileClickHouse

extension NetworkRow {
  /// ``isUnfinished``.
  static let isUnfinished: SQL = "isNull(status) AND isNull(error) AND failed = 0"

  /// In the order in which they are read.
  static let names: [SQLName] = [
    "id", "timestamp", "method", "host", "path", "query", "route", "status", "duration", "sent", "got", "failed", "error",
    "tracer", "mock", "operation", "project", "session",
  ]

  /// Without what its session says.
  init(_ reader: inout RowBinaryReader, session name: (_ project: String, _ session: String) -> String) throws {
    event = try reader.int()
    timestamp = try reader.int()
    method = try reader.string()
    host = try reader.string()
    path = try reader.string()
    query = try reader.nullable { try $0.string() }
    route = try reader.string()
    status = try reader.nullable { try $0.int() }
    duration = try reader.nullable { try $0.int() }
    sent = try reader.nullable { try $0.int() }
    received = try reader.nullable { try $0.int() }
    hasFailed = try reader.bool()
    error = try reader.nullable { try $0.string() }
    tracer = try reader.nullable { try $0.string() }
    mock = try reader.nullable { try $0.string() }
    operation = try reader.nullable { try $0.string() }
    sessionId = name(try reader.string(), try reader.string())
  }
}
