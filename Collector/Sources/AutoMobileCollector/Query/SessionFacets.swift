import GRDB

/// What sessions can be narrowed by: of each facet the values that there are, with their numbers.
struct SessionFacets {
  /// The newest sessions that are counted.
  static let most = 50_000
  /// Values of one facet.
  private static let values = 100

  /// With one parameter: the time from which on a session counts as live.
  static let columns =
    "session.bundleId, session.appVersion, \(SessionSelection.device), \(SessionSelection.system), "
    + "\(SessionSelection.ended), " + has.map { SessionSelection.has[$0] ?? "0" }.joined(separator: ", ")
  /// `live` is the last, for its parameter.
  private static let has = ["crash", "hang", "failed", "error", "live"]

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

  /// Adds a row of ``columns``.
  mutating func add(_ row: Row) {
    let single: [(SessionFilter.Facet, String?)] = [
      (.app, row[0]), (.version, row[1]), (.device, row[2]), (.os, row[3]), (.ended, row[4]),
    ]
    var held = Set<String>()
    for (index, name) in Self.has.enumerated() where row[5 + index] as Bool? == true { held.insert(name) }
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
