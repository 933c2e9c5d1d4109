import AutoMobileClickHouse
import NIOConcurrencyHelpers

/// Deletes old rows of projects of which less is kept than of everything. Their days have rows of other projects, too, which stay: so they
/// do not go as a whole, and a shard writes what it keeps of them anew.
///
/// That is dear, so it is done once for each day that ends, for all projects together, and only where there are rows. It says what is to
/// be deleted and does not wait: a shard goes on with it by itself, also after it was started anew. What comes later with the time of such
/// a day goes with the next one.
final class ClickHouseProjectRetention: Sendable {
  private let mutations: ShardMutations
  /// By project: the last day of which all shards were told. In memory: whoever begins again finds no rows.
  private let told = NIOLockedValueBox<[String: Int64]>([:])
  private static let day: Int64 = 86_400_000
  /// Projects in a statement, of which 18.16 reads 256 KB.
  private static let most = 100

  init(_ mutations: ShardMutations) { self.mutations = mutations }

  /// A project, and the last day of it that goes: in days since 1970.
  private struct Due: Sendable {
    var project: String
    var last: Int64
  }

  /// Whether something may have to go that was not looked for yet.
  func isDue(_ projects: ProjectRetention, at now: Int64) -> Bool { !due(projects, at: now).isEmpty }

  private func due(_ projects: ProjectRetention, at now: Int64) -> [Due] {
    told.withLockedValue { told in
      projects.days.compactMap { project, days in
        // The newest day that had ended then.
        let last = (now - Int64(days) * Self.day) / Self.day - 1
        // Also an earlier one: the clock was ahead when it was told.
        return last != told[project] ?? 0 ? Due(project: project, last: last) : nil
      }.sorted { $0.project < $1.project }
    }
  }

  /// - Parameters:
  ///   - partitions: that are there.
  ///   - isOurs: whether it is still this collector that does it.
  /// - Returns: rows of events that are being deleted.
  /// - Throws: ``ClickHouseError``; then it is tried again with the next look.
  func look(
    _ projects: ProjectRetention, in partitions: [ShardMutations.Partition], at now: Int64, while isOurs: () -> Bool
  ) async throws -> Int64 {
    let due = due(projects, at: now)
    var rows: Int64 = 0
    for start in stride(from: 0, to: due.count, by: Self.most) {
      let some = Array(due[start..<min(start + Self.most, due.count)])
      let (deleted, isAll) = try await delete(some, projects, in: partitions, while: isOurs)
      rows += deleted
      guard isAll else { continue }
      told.withLockedValue { told in
        for one in some { told[one.project] = one.last }
      }
    }
    return rows
  }

  /// - Returns: rows of events, and whether all shards were told; else the next look goes on.
  private func delete(
    _ due: [Due], _ projects: ProjectRetention, in partitions: [ShardMutations.Partition], while isOurs: () -> Bool
  ) async throws -> (rows: Int64, isAll: Bool) {
    let condition = Self.condition(due, projects)
    let newest = due.map(\.last).max() ?? 0
    var (rows, isAll) = (Int64(0), true)
    for (shard, tables) in Dictionary(grouping: partitions.filter { $0.day <= newest && $0.rows > 0 }, by: \.shard)
      .mapValues({ Set($0.map(\.table)).sorted() }).sorted(by: { $0.key < $1.key })
    {
      for name in tables {
        let table = try SQLName(checking: name)
        let count = try await mutations.count(of: table, shard: shard, where: condition)
        guard count > 0 else { continue }
        // It may be these that it deletes.
        guard try await !mutations.isDeleting(from: table, shard: shard) else {
          isAll = false
          continue
        }
        guard isOurs() else { return (rows, false) }
        try await mutations.delete(from: table, shard: shard, where: condition)
        if table == TelemetryTables.events.localName { rows += count }
      }
    }
    return (rows, isAll)
  }

  private static func condition(_ due: [Due], _ projects: ProjectRetention) -> SQL {
    let parts = Dictionary(grouping: due, by: \.last).sorted { $0.key < $1.key }.map { last, due in
      let wall = OwnerWall(of: Set(due.map(\.project)), among: projects.apps)
      return "(day <= toDate(\(last)) AND (\(wall.sql)))" as SQL
    }
    return SQL.joined(parts, " OR ")
  }
}
