/// What sessions can be narrowed by: of each facet the values that there are, with their numbers.
struct SessionFacets {
  /// The newest sessions that are counted.
  static let most = 50_000
  /// Values of one facet.
  private static let values = 100

  private let wanted: [SessionFilter.Facet: Set<String>]
  private(set) var total: Int64 = 0
  private var counts: [SessionFilter.Facet: NamedSums<String, Tally>] = [:]

  private struct Tally: Summable {
    var count: Int64 = 0
    mutating func add(_ other: Tally) { count += other.count }
  }

  init(_ filter: SessionFilter) {
    wanted = filter.facets.mapValues { Set($0) }
  }

  /// Adds a session.
  ///
  /// - Parameters:
  ///   - single: its value of each facet that has one.
  ///   - held: what it has.
  mutating func add(_ single: [(SessionFilter.Facet, String?)], has held: Set<String>) {
    var failing: [SessionFilter.Facet] = []
    for (facet, value) in single {
      if let values = wanted[facet], !values.contains(value ?? "") { failing.append(facet) }
    }
    if let values = wanted[.has], !values.isSubset(of: held) { failing.append(.has) }
    if failing.isEmpty { total += 1 }
    // A facet counts what there would be without it: what passes all others.
    for (facet, value) in single where failing.allSatisfy({ $0 == facet }) {
      if let value, !value.isEmpty { counts[facet, default: NamedSums()][value].count += 1 }
    }
    // Those that a session must have all of are counted among what passes.
    if failing.isEmpty { for name in held { counts[.has, default: NamedSums()][name].count += 1 } }
  }

  /// `facets`: of each the most frequent values; `others`: how many further values it has, and how many sessions have one.
  func writeMembers(to json: inout JSONOutput) {
    json.member("total", total)
    let lists = counts.mapValues { counted in
      var list = counted.listed
      list.sort(first: Self.values) { ($0.sums.count, $1.name) > ($1.sums.count, $0.name) }
      return list
    }
    json.object("facets") {
      for facet in SessionFilter.Facet.allCases {
        $0.array(facet.rawValue) {
          for (value, sums) in lists[facet]?.listed ?? [] {
            $0.array {
              $0.string(value)
              $0.number(sums.count)
            }
          }
        }
      }
    }
    json.object("others") {
      for facet in SessionFilter.Facet.allCases {
        guard let list = lists[facet], list.names > 0 else { continue }
        $0.array(facet.rawValue) {
          $0.number(Int64(list.names))
          $0.number(list.others.count)
        }
      }
    }
  }
}
