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
}
