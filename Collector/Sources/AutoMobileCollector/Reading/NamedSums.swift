/// What is counted of something, and can be put together.
protocol Summable: Sendable {
  init()
  mutating func add(_ other: Self)
  /// By which the larger ones are found.
  var count: Int64 { get }
}

/// Sums by the names that apps give: versions, screens, kinds. There can be as many names as events; so the most frequent
/// ones are told apart, and the others together are one.
struct NamedSums<Name: Hashable & Sendable, Sums: Summable>: Sendable {
  private(set) var sums: [Name: Sums] = [:]

  /// What is left when not all names are listed.
  struct Others: Sendable {
    /// So many names.
    var names = 0
    var sums = Sums()
  }

  subscript(name: Name) -> Sums {
    get { sums[name] ?? Sums() }
    _modify { yield &sums[name, default: Sums()] }
  }

  /// The most frequent names.
  private func frequent(_ most: Int) -> [(name: Name, sums: Sums)] {
    guard sums.count > most else { return sums.map { ($0.key, $0.value) } }
    // The count of the last one that is listed, without sorting all of them by name.
    let least = sums.values.map(\.count).sorted(by: >)[most - 1]
    var left = most
    var listed: [(name: Name, sums: Sums)] = []
    for (name, sums) in sums where sums.count > least { listed.append((name, sums)) }
    left -= listed.count
    for (name, sums) in sums where sums.count == least && left > 0 {
      listed.append((name, sums))
      left -= 1
    }
    return listed
  }

  /// Everything under other names than these.
  func others(than listed: Set<Name>) -> Others {
    var others = Others()
    guard sums.count > listed.count else { return others }
    for (name, sums) in sums where !listed.contains(name) {
      others.names += 1
      others.sums.add(sums)
    }
    return others
  }

  /// The most frequent ones, by other names; those that `rename` does not know are not listed.
  func renamed<Other: Hashable & Sendable>(
    _ most: Int = 200, _ rename: (Name) throws -> Other?
  ) rethrows -> NamedSums<Other, Sums>.Listed {
    var listed: [(name: Other, sums: Sums)] = []
    var known = Set<Name>()
    for (name, sums) in frequent(most) {
      guard let other = try rename(name) else { continue }
      listed.append((other, sums))
      known.insert(name)
    }
    let others = others(than: known)
    return .init(listed: listed, names: others.names, others: others.sums)
  }

  /// A list, and what stands for the rest.
  struct Listed: Sendable {
    var listed: [(name: Name, sums: Sums)] = []
    var names = 0
    var others = Sums()

    /// The first so many in an order of one's own; the rest joins the others.
    mutating func sort(
      first count: Int, by areInOrder: ((name: Name, sums: Sums), (name: Name, sums: Sums)) -> Bool
    ) {
      listed.sort(by: areInOrder)
      for (_, sums) in listed.dropFirst(count) {
        names += 1
        others.add(sums)
      }
      listed = Array(listed.prefix(count))
    }
  }

  /// The most frequent ones, in no order.
  var listed: Listed { renamed { $0 } }
}
