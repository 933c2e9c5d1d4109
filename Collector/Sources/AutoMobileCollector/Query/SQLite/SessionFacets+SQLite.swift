import GRDB

extension SessionFacets {
  /// With one parameter: the time from which on a session counts as live.
  static let columns =
    "session.bundleId, session.appVersion, \(SessionSelection.device), \(SessionSelection.system), "
    + "\(SessionSelection.ended), " + has.map { SessionSelection.has[$0] ?? "0" }.joined(separator: ", ")
  /// `live` is the last, for its parameter.
  private static let has = ["crash", "hang", "failed", "error", "live"]

  /// Adds a row of ``columns``.
  mutating func add(_ row: Row) {
    let single: [(SessionFilter.Facet, String?)] = [
      (.app, row[0]), (.version, row[1]), (.device, row[2]), (.os, row[3]), (.ended, row[4]),
    ]
    var held = Set<String>()
    for (index, name) in Self.has.enumerated() where row[5 + index] as Bool? == true { held.insert(name) }
    add(single, has: held)
  }
}
