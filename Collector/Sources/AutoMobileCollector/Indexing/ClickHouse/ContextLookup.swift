import AutoMobileClickHouse
import Foundation

/// Looks contexts up that came to another collector, or so long ago that nobody remembers.
struct ContextLookup: Sendable {
  private let cluster: ClickHouseCluster
  /// What must not come back.
  private let erased: @Sendable () throws -> ErasedNames?
  /// Questions in one statement.
  private static let most = 200

  init(_ cluster: ClickHouseCluster, erased: @escaping @Sendable () throws -> ErasedNames? = { nil }) {
    (self.cluster, self.erased) = (cluster, erased)
  }

  /// Answers all of them; also that there is none.
  ///
  /// - Throws: ``ClickHouseError`` when a shard does not say: one that is silent may be the one that knows.
  func answers(to questions: Set<ContextQuestion>) async throws -> [ContextQuestion: ContextAnswer] {
    let erased = try self.erased()
    var answers: [ContextQuestion: ContextAnswer] = [:]
    for question in questions { answers[question] = ContextAnswer(context: nil) }
    var numbered: [String: [(launch: String, number: Int64)]] = [:]
    var current: [ContextQuestion] = []
    for question in questions {
      switch question {
      case .numbered(let project, let launch, let number): numbered[project, default: []].append((launch, number))
      case .current: current.append(question)
      }
    }
    for (project, names) in numbered {
      for part in Self.parts(names) { try await find(part, of: project, erased, in: &answers) }
    }
    for question in current { try await find(question, erased, in: &answers) }
    return answers
  }

  private static func parts<Element>(_ all: [Element]) -> [ArraySlice<Element>] {
    stride(from: 0, to: all.count, by: most).map { all[$0..<min($0 + most, all.count)] }
  }

  private struct Row: Sendable {
    var launch: String
    var context: KnownContext
  }

  private static let columns: SQL = "`launch`, `context`, `session`, `bundle`, `version`, `json`, `received`"

  private static func row(
    _ reader: inout RowBinaryReader, of project: String, _ erased: ErasedNames?
  ) throws -> Row {
    let (launch, number) = (try reader.string(), try reader.int(Int64.self))
    let (session, bundle, version) = (try reader.string(), try reader.string(), try reader.string())
    let (json, received) = (Data(buffer: try reader.bytes()), try reader.int(Int64.self))
    var context = KnownContext(
      number: number, session: session, bundle: bundle, version: version,
      erasedBefore: erasedBefore(json, of: project, erased))
    // Nobody knows whether its session was told; told again, it is the same.
    if number >= 0, context.erasedBefore == nil {
      context.untold = HeldContext(
        json: String(decoding: json, as: UTF8.self), received: received, position: -1,
        id: FrameNumbers.first(at: received))
    }
    return Row(launch: launch, context: context)
  }

  /// Until when what names it is dropped.
  private static func erasedBefore(_ json: Data, of project: String, _ erased: ErasedNames?) -> Int64? {
    if json.count <= 100, let empty = try? JSONDecoder().decode(EmptiedContext.self, from: json) {
      return empty.erasedBefore
    }
    guard let erased, let record = json.withUnsafeBytes({ try? ContextRecord(json: $0) }) else { return nil }
    return erased.mark(of: record, DataOwner(name: project))
  }

  private func find(
    _ names: ArraySlice<(launch: String, number: Int64)>, of project: String,
    _ erased: ErasedNames?, in answers: inout [ContextQuestion: ContextAnswer]
  ) async throws {
    let either = SQL.joined(names.map { "(`launch` = \(text: $0.launch) AND `context` = \($0.number))" }, " OR ")
    let rows = try await cluster.client.rows(
      """
      SELECT \(Self.columns) FROM \(cluster.readable(TelemetryTables.contexts)) \
      WHERE `project` = \(text: project) AND (\(either)) \
      ORDER BY `launch`, `context`, `received` DESC LIMIT 1 BY `launch`, `context`
      """
    ) { try Self.row(&$0, of: project, erased) }
    for row in rows {
      answers[.numbered(project: project, launch: row.launch, number: row.context.number)] = ContextAnswer(
        context: row.context)
    }
  }

  /// The last one that stands before the position. Of a context that was told again only the last place is known: where all of them
  /// are behind it, the nearest one.
  private func find(
    _ question: ContextQuestion, _ erased: ErasedNames?, in answers: inout [ContextQuestion: ContextAnswer]
  ) async throws {
    guard case .current(let project, let launch, let position) = question else { return }
    let rows = try await cluster.client.rows(
      """
      SELECT \(Self.columns) FROM \(cluster.readable(TelemetryTables.contexts)) \
      WHERE `project` = \(text: project) AND `launch` = \(text: launch) AND `position` >= 0 \
      ORDER BY `position` < \(position) DESC, if(`position` < \(position), -`position`, `position`), `context`, \
      `received` DESC LIMIT 1
      """
    ) { try Self.row(&$0, of: project, erased) }
    if let row = rows.first { answers[question] = ContextAnswer(context: row.context) }
  }
}
