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

  init(_ registry: PrometheusRegistry) {
    rows = Counter(label: "automobile_clickhouse_rows_total", factory: registry)
    batches = Counter(label: "automobile_clickhouse_batches_total", factory: registry)
    failures = Counter(label: "automobile_clickhouse_failures_total", factory: registry)
    lookups = Counter(label: "automobile_clickhouse_lookups_total", factory: registry)
    building = Timer(label: "automobile_clickhouse_build_seconds", factory: registry)
    inserting = Timer(label: "automobile_clickhouse_insert_seconds", factory: registry)
    waiting = Meter(label: "automobile_clickhouse_batches_waiting", factory: registry)
    waitingRows = Meter(label: "automobile_clickhouse_rows_waiting", factory: registry)
  }

  func built(seconds: Double) { building.recordSeconds(seconds) }

  func confirmed(rows count: Int, seconds: Double) {
    rows.increment(by: count)
    batches.increment()
    inserting.recordSeconds(seconds)
  }

  func failed() { failures.increment() }
  func lookedUp(_ count: Int) { lookups.increment(by: count) }

  func set(batches: Int, rows: Int) {
    waiting.set(batches)
    waitingRows.set(rows)
  }
}
