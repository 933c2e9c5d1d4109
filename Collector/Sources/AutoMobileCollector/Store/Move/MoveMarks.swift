import AutoMobileClickHouse
import AutoMobileState
import Foundation
import GRDB

/// Whom nothing is moved of, because they were erased: here, or where it is moved to, before or meanwhile.
///
/// The marks of all collectors are in the state (``ErasureMarks``). A file beside the directory, which goes with the move, holds a copy, and
/// the names of what was brought while somebody erased it, until that is deleted.
final class MoveMarks: Sendable {
  private let scratch: EventStore
  private let path: String
  private let lists: ErasureLists
  private let erasing: ClickHouseErasing

  /// Clocks may be so far apart, in milliseconds.
  private static let slack: Int64 = 3_600_000

  /// - Parameter state: that the collectors there share; closed with this.
  init(_ directory: DataDirectory, _ state: any StateStore, _ cluster: ClickHouseCluster, _ limits: CollectorLimits)
    throws
  {
    path = "\(directory.path)/moving.sqlite"
    Self.remove(path)
    scratch = try EventStore(
      path: path, fullText: false, maximumDepth: limits.jsonDepth, limits: limits, state: state)
    lists = ErasureLists(scratch)
    erasing = ClickHouseErasing(
      cluster, telemetry: ClickHouseTelemetry(cluster, gate: scratch.gate, limits: limits), lists: lists)
  }

  func close() {
    try? scratch.close()
    Self.remove(path)
  }

  private static func remove(_ path: String) {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  /// As they are now; nil: nobody is marked.
  func current() throws -> ErasedNames? {
    try scratch.pullMarks()
    return try lists.marks.current()
  }

  /// Tells the collectors there whom this directory's has erased: what phones still hold comes to them from now on.
  func tell(_ directory: EventStore) throws {
    let (marks, key) = try directory.pool.read { database in
      let marks = try Row.fetchAll(
        database, sql: "SELECT hash, at, ends FROM erasure_mark WHERE ends > ?", arguments: [WallClock.now]
      ).map { row in (hash: row[0] as Data, at: row[1] as Int64, ends: row[2] as Int64) }
      guard !marks.isEmpty else { return (marks, Data()) }
      let key = try ErasureMarks.key(in: database)
      return (marks + (try Self.contexts(in: database, key)), Data(key))
    }
    guard !marks.isEmpty else { return }
    try scratch.state.writeNow { state in
      for mark in marks {
        try state.execute(
          """
          INSERT INTO erased_name(hash, secret, at, ends) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT (hash) DO UPDATE SET at = ?3, ends = ?4
          """, mark.hash, key, mark.at, mark.ends)
      }
      try state.tell(.erasures)
    }
  }

  /// Contexts that are emptied in the index: what names one of them is dropped there by its row, and where contexts have no rows that stay,
  /// by its mark.
  private static func contexts(
    in database: Database, _ key: [UInt8]
  ) throws -> [(hash: Data, at: Int64, ends: Int64)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT owner.name, launch.given, contextId, erased FROM context JOIN launch ON launch.id = context.launch
          JOIN owner ON owner.id = launch.owner WHERE erased > 0 AND contextId >= 0
        """
    ).map { row in
      let (owner, launch, number, at): (String, String, Int64, Int64) = (row[0], row[1], row[2], row[3])
      let name = ErasedNames.context(number, of: launch)
      return (ErasureMarks.hash(.context, name, owner: owner, key), at, at + ErasureMarks.lifetime)
    }
  }

  /// Deletes there what was brought of somebody who was erased since: whoever did that may have looked before it came.
  ///
  /// - Returns: why that is not done; nil: it is.
  func sweep(since begun: Int64) throws -> String? {
    try scratch.pullMarks()
    let newest = try scratch.pool.read { try Int64.fetchOne($0, sql: "SELECT MAX(at) FROM erased_name") }
    guard let newest, newest >= begun - Self.slack else { return nil }
    return try erasing.lookAtAll {
      Thread.sleep(forTimeInterval: $0)
      return true
    }
  }
}
