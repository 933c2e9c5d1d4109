import CoreMetrics

/// One metric of the program's: adds to its series.
final class SeriesHandler: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  private let table: SeriesTable
  private let name: SeriesTable.Name

  init(_ table: SeriesTable, _ kind: SeriesTable.Kind, _ label: String, _ dimensions: [(String, String)]) {
    self.table = table
    name = SeriesTable.Name(kind, label, dimensions)
  }

  // MARK: Counters and meters

  func increment(by amount: Int64) { increment(by: Double(amount)) }
  func increment(by amount: Double) { table.update(name) { $0.add(amount) } }
  func decrement(by amount: Double) { table.update(name) { $0.add(-amount) } }
  /// It begins anew, as if nothing had been counted since the last record.
  func reset() { table.forget(name) }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { table.update(name) { $0.set(value) } }

  // MARK: Recorders and timers

  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { table.update(name) { $0.observe(value) } }
  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000) }
}
