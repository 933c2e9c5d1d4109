/// Values of one kind, and where among them some value stands.
struct Percentiles: Sendable {
  private var values: [Int64] = []
  private var isSorted = true

  var count: Int { values.count }

  mutating func add(_ value: Int64) {
    values.append(value)
    isSorted = false
  }

  /// The nearest rank: a value that really was; nil when there is none.
  ///
  /// - Parameter percent: from 1 to 100.
  mutating func rank(_ percent: Int) -> Int64? {
    guard !values.isEmpty else { return nil }
    if !isSorted {
      values.sort()
      isSorted = true
    }
    return values[(values.count * percent + 99) / 100 - 1]
  }

  /// `count`, `p50`, `p90`, `p99` and `max`, divided by `unit`, as members of an object that the caller has begun.
  mutating func writeMembers(to json: inout JSONOutput, unit: Double = 1000) {
    json.member("count", Int64(count))
    guard count > 0 else { return }
    for (name, percent) in [("p50", 50), ("p90", 90), ("p99", 99), ("max", 100)] {
      json.member(name, number: Double(rank(percent) ?? 0) / unit)
    }
  }
}
