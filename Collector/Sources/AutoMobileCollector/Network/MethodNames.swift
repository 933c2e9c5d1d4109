/// Requests' methods as small numbers, by which many rows are told apart without a text for each.
struct MethodNames {
  private(set) var names: [String] = []
  private var short: [UInt64: Int] = [:]
  private var long: [String: Int] = [:]

  /// The number of the method in a row's column.
  mutating func number(_ row: RawRows, _ column: Int32) -> Int {
    guard let key = row.shortText(column) else {
      let name = row.text(column)
      return long[name] ?? add(name) { $0.long[name] = $1 }
    }
    return short[key] ?? add(row.text(column)) { $0.short[key] = $1 }
  }

  private mutating func add(_ name: String, _ remember: (inout Self, Int) -> Void) -> Int {
    names.append(name)
    remember(&self, names.count - 1)
    return names.count - 1
  }
}
