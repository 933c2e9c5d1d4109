import AutoMobileClickHouse
import Foundation

/// Contexts as apps sent them, one after the other: all of them together may be more than an answer has room for.
struct ContextPages: Sendable {
  struct Row: Sendable {
    var project: String
    var launch: String
    var number: Int64
    var shard: UInt64
    /// Empty: it names none.
    var session: String
    var user: String
    var json: Data
    /// Of what it says: those that have the same number are copies of one, or a launch has told it twice.
    var content: UInt64

    fileprivate init(_ row: inout RowBinaryReader) throws {
      project = try row.string()
      launch = try row.string()
      number = try row.int()
      shard = try row.int()
      session = try row.string()
      user = try row.string()
      json = Data(buffer: try row.bytes())
      content = try row.int()
    }
  }

  let reading: ClickHouseReading

  /// In one answer.
  private static let most = 20_000

  /// - Parameter use: called with each, also with copies.
  func each(_ range: [SQL], _ use: (Row) throws -> Void) async throws {
    try await HalvedPages.read(most: Self.most) { (last: Row?, count: Int) in
      try await reading.rows(statement(range, behind: last, count)) { try Row(&$0) }
    } use: { page in
      for row in page { try use(row) }
    }
  }

  private func statement(_ range: [SQL], behind last: Row?, _ count: Int) -> SeenSQL {
    let content: SQL = "cityHash64(session, user, json)"
    var range = range
    if let last {
      let behind: SQL = """
        project > \(text: last.project) OR (project = \(text: last.project) AND (launch > \(text: last.launch) \
        OR (launch = \(text: last.launch) AND (context > \(last.number) \
        OR (context = \(last.number) AND \(content) > \(last.content))))))
        """
      range.append(behind)
    }
    return reading.copies(
      "project, launch, context, shard, session, user, json, \(content) AS content", of: TelemetryTables.contexts,
      range, "ORDER BY project, launch, context, content LIMIT \(count: count)")
  }
}

extension ContextPages.Row {
  var context: ClickHouseSubject.Context {
    ClickHouseSubject.Context(project: project, launch: launch, number: number)
  }

  /// What a context without a session says is true of the launch's own session.
  var ofSession: ErasureNames.Name {
    ErasureNames.Name(project: project, name: session.isEmpty ? "launch:\(launch)" : session)
  }

  /// nil: it cannot be read.
  var record: ContextRecord? { json.withUnsafeBytes { try? ContextRecord(json: $0) } }

  var replay: String? {
    json.withUnsafeBytes { (try? JSONTree(checking: $0, maximumDepth: 16))?["replayId"]?.string }
  }
}
