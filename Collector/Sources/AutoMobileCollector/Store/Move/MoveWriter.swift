import AutoMobileClickHouse
import AutoMobileState

/// The number under which a move writes. Nobody else ever has it: what is moved has numbers of times at which others wrote, so two writers
/// of one number would give the same ones.
struct MoveWriter {
  let state: any StateStore
  let cluster: ClickHouseCluster

  /// For one that begins.
  ///
  /// - Throws: ``CollectorError`` when the state is not that of the collectors that write there, or all numbers are taken.
  func take(_ identity: String, at now: Int64) throws -> Int {
    let (known, said) = try state.readNow { state in
      (try WriterList.numbers(in: state), Set(try ArrivalRows.lasts(in: state).keys.map { Int($0) }))
    }
    let used = try used()
    guard used.isSubset(of: known) else {
      throw CollectorError.telemetryUnusable(
        reason: """
          events are there of collectors that \(state.place) does not know: name the state with which the collectors are started \
          that use \(cluster.tables.database)
          """)
    }
    let taken = try WriterList.take(identity, besides: used.union(said), forMoving: true, in: state, at: now)
    guard let taken else {
      throw CollectorError.telemetryUnusable(
        reason: """
          all \(WriterList.most) numbers of those who write there are taken. A collector's becomes free a day after it was last there; \
          one of a directory that was moved does not
          """)
    }
    return taken.number
  }

  /// For one that goes on.
  ///
  /// - Throws: ``CollectorError`` when the number is not its own, or what it has brought is not there.
  func check(_ progress: MoveProgress, at now: Int64) throws {
    guard try WriterList.take(progress.identity, bound: progress.number, forMoving: true, in: state, at: now) != nil
    else {
      throw CollectorError.telemetryUnusable(
        reason: "\(state.place) does not know of this move: remove \(MoveProgress.file) to begin again")
    }
    guard try progress.there == 0 || !used(progress.number).isEmpty else {
      throw CollectorError.telemetryUnusable(
        reason: """
          nothing of what was moved is there: it is another database of the same name, or its retention has deleted it. Remove \
          \(MoveProgress.file) to begin again
          """)
    }
  }

  /// Under which there are events.
  private func used(_ number: Int? = nil) throws -> Set<Int> {
    let only: SQL = number.map { "WHERE id % \(FrameNumbers.step) = \(Int64($0))" as SQL } ?? ""
    let statement: SQL = """
      SELECT DISTINCT toInt64(id % \(FrameNumbers.step)) FROM \(cluster.readable(TelemetryTables.events)) \(only) \
      LIMIT \(count: WriterList.most)
      """
    return try waitFor { [cluster] in
      Set(try await cluster.client.rows(statement) { Int(try $0.int(Int64.self)) })
    }
  }
}
