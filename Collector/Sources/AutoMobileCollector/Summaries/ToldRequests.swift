/// Requests of which only summaries tell: of sessions whose last event is within the time.
///
/// Of one session, what its summary says counts where that is more than what is here: so nothing counts twice, whatever has come.
struct ToldRequests {
  typealias Sums = NetworkStatistics.Sums

  /// Not here. Of those without an answer nobody knows whether the app called them off, so none counts as failed.
  var sums = Sums()
  var versions: [AppVersion: Sums] = [:]
  /// As summaries call them.
  var statuses: [String: Int64] = [:]

  /// Sessions that are looked at, the newest ones: each is a question of its own.
  static let most = 50_000
  var isPartial = false

  init() {}

  /// Adds a session's.
  ///
  /// - Parameters:
  ///   - told: by status, what its summaries say, all together.
  ///   - here: the same of the requests that are here.
  mutating func add(_ version: AppVersion, told: [String: Int64], here: [String: Int64]) {
    for (status, count) in told {
      let missing = max(0, count - (here[status] ?? 0))
      guard missing > 0 else { continue }
      statuses[status, default: 0] += missing
      var more = Sums()
      more.count = missing
      if status == "4xx" || status == "5xx" { more.failed = missing }
      sums.add(more)
      versions[version, default: Sums()].add(more)
    }
  }
}
