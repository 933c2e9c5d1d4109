import AutoMobileClickHouse
import AutoMobileState

/// Removes old telemetry from ClickHouse, a day at a time: that costs nothing, where deleting rows would write all others anew. What less
/// is kept of is deleted by ``ClickHouseProjectRetention``.
///
/// One of several collectors does it. A day goes when all of it is older than the policy says; where bytes are limited, the oldest days
/// go until so much is left. The day that is being written and the one before it stay, however full it is: a batch under way may be of
/// these. What an erasure has still to delete may go with its day: nobody needs it.
struct ClickHouseRetention: Sendable {
  /// What was done.
  struct Step: Sendable, Equatable {
    var partitions = 0
    var rows: Int64 = 0
    var bytes: Int64 = 0
  }

  private let mutations: ShardMutations
  private let own: ClickHouseProjectRetention
  private let turn: WorkTurn
  private static let day: Int64 = 86_400_000

  init(_ cluster: ClickHouseCluster, turn: WorkTurn) {
    mutations = ShardMutations(cluster)
    own = ClickHouseProjectRetention(mutations)
    self.turn = turn
  }

  /// Looks once, and drops what may go.
  ///
  /// - Parameter projects: of which less is kept.
  /// - Returns: what was dropped, and the events of projects that are being deleted; nil when another collector does it.
  /// - Throws: ``ClickHouseError``; what the state says.
  func look(_ policy: RetentionPolicy, _ projects: ProjectRetention = .none, at now: Int64) async throws -> Step? {
    guard policy != .everything || own.isDue(projects, at: now) else { return Step() }
    guard let hold = try await turn.take() else { return nil }
    var step = Step()
    let partitions = try await mutations.partitions()
    let expired = Self.expired(partitions, policy, at: now)
    let days = Set(expired.map(\.day))
    for partition in expired {
      guard hold.isHeld else { break }
      let table = try SQLName(checking: partition.table)
      try await mutations.drop(partition: partition.id, of: table, shard: partition.shard)
      step.partitions += 1
      step.bytes += partition.bytes
      if partition.table == TelemetryTables.events.localName.text { step.rows += partition.rows }
    }
    step.rows += try await own.look(projects, in: partitions.filter { !days.contains($0.day) }, at: now) {
      hold.isHeld
    }
    return step
  }

  /// What is in ClickHouse, in bytes on all disks.
  func usedBytes() async throws -> Int64 { try await mutations.partitions().reduce(0) { $0 + $1.bytes } }

  /// Those that may go. All tables of a day go together: what leads to events is never there without them for long.
  static func expired(
    _ partitions: [ShardMutations.Partition], _ policy: RetentionPolicy, at now: Int64
  ) -> [ShardMutations.Partition] {
    let today = now / day
    var gone: Set<Int64> = []
    if let days = policy.days {
      let limit = now - Int64(days) * day
      gone = Set(partitions.map(\.day).filter { ($0 + 1) * day <= limit })
    }
    if let bytes = policy.bytes {
      let sizes = Dictionary(grouping: partitions, by: \.day).mapValues { $0.reduce(0) { $0 + $1.bytes } }
      var used = sizes.reduce(0) { gone.contains($1.key) ? $0 : $0 + $1.value }
      for (day, size) in sizes.sorted(by: { $0.key < $1.key })
      where used > bytes && day < today - 1 && !gone.contains(day) {
        gone.insert(day)
        used -= size
      }
    }
    return partitions.filter { gone.contains($0.day) }
      .sorted { ($0.day, $0.shard, $0.table) < ($1.day, $1.shard, $1.table) }
  }
}
