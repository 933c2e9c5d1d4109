import CoreMetrics

/// What is counted of the way from the ingest log into ClickHouse.
struct ClickHouseMetrics: Sendable {
  private let rows: Counter
  private let batches: Counter
  private let failures: Counter
  private let lookups: Counter
  private let building: Timer
  private let inserting: Timer
  private let waiting: Meter
  private let waitingRows: Meter
  /// By the shard's number: 1 when it takes nothing.
  private let silent: [Int: Meter]

  init(_ registry: PrometheusRegistry, shards: [Int]) {
    rows = Counter(label: "automobile_clickhouse_rows_total", factory: registry)
    batches = Counter(label: "automobile_clickhouse_batches_total", factory: registry)
    failures = Counter(label: "automobile_clickhouse_failures_total", factory: registry)
    lookups = Counter(label: "automobile_clickhouse_lookups_total", factory: registry)
    building = Timer(label: "automobile_clickhouse_build_seconds", factory: registry)
    inserting = Timer(label: "automobile_clickhouse_insert_seconds", factory: registry)
    waiting = Meter(label: "automobile_clickhouse_batches_waiting", factory: registry)
    waitingRows = Meter(label: "automobile_clickhouse_rows_waiting", factory: registry)
    silent = Dictionary(
      shards.map { shard in
        (
          shard,
          Meter(
            label: "automobile_clickhouse_shard_silent", dimensions: [("shard", String(shard))], factory: registry)
        )
      }, uniquingKeysWith: { one, _ in one })
  }

  func built(seconds: Double) { building.recordSeconds(seconds) }

  func confirmed(rows count: Int, seconds: Double) {
    rows.increment(by: count)
    batches.increment()
    inserting.recordSeconds(seconds)
  }

  func failed() { failures.increment() }
  func lookedUp(_ count: Int) { lookups.increment(by: count) }

  func set(_ backlog: ClickHouseBacklog) {
    waiting.set(backlog.batches)
    waitingRows.set(backlog.rows)
    for (shard, meter) in silent { meter.set(backlog.shards.contains(shard) ? 1 : 0) }
  }
}
