import Foundation

/// Batches that are on their way, and not confirmed.
struct SentBatches {
  struct Batch {
    var rows: Int
    var since: Date
    var task: Task<Void, Never>?
    /// What is wrong with shards that it is for.
    var problem: SendProblem?
  }

  var underWay: [UInt64: Batch] = [:]

  mutating func begin(_ number: UInt64, rows: Int) { underWay[number] = Batch(rows: rows, since: Date()) }

  func backlog(bytes: Int, deliveries: Int, failure: String?) -> ClickHouseBacklog {
    let oldest = underWay.values.map(\.since).min()
    let problems = underWay.sorted { $0.key < $1.key }.compactMap(\.value.problem)
    return ClickHouseBacklog(
      bytes: bytes, batches: underWay.count, rows: underWay.values.reduce(0) { $0 + $1.rows }, deliveries: deliveries,
      seconds: oldest.map { Date().timeIntervalSince($0) } ?? 0, shards: Set(problems.flatMap(\.shards)).sorted(),
      problem: failure ?? problems.first?.text)
  }
}
