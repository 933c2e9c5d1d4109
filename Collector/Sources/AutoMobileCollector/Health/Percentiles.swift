/// Values of one kind, and where among them some value stands.
struct Percentiles: Summable {
  private var values: [Int64] = []

  var count: Int64 { Int64(values.count) }

  mutating func add(_ value: Int64) { values.append(value) }
  mutating func add(_ more: [Int64]) { values += more }
  mutating func add(_ other: Percentiles) { values += other.values }

  /// `count`, `p50`, `p90`, `p99` and `max`, divided by `unit`, as members of an object that the caller has begun.
  ///
  /// Each is the nearest rank: a value that really was.
  func writeMembers(to json: inout JSONOutput, unit: Double = 1000) {
    json.member("count", count)
    guard count > 0 else { return }
    let sorted = values.sorted()
    for (name, percent) in [("p50", 50), ("p90", 90), ("p99", 99), ("max", 100)] {
      json.member(name, number: Double(sorted[(sorted.count * percent + 99) / 100 - 1]) / unit)
    }
  }
}
