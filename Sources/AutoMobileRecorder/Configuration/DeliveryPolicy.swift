/// How often, how much and over which networks the SDK delivers.
///
///     var configuration = AutoMobileConfiguration(endpoint: collector)
///     configuration.delivery = DeliveryPolicy(intervalMs: 60_000, allowsExpensiveNetwork: false)
///
/// What waits stays in the journal, within ``AutoMobileConfiguration/journalBudget``; `diagnostics.delivery` says since when and why.
/// A receiver on the same machine (`localhost`, `127.0.0.1`, `::1`) gets everything at once, without limits: that is
/// what a developer watches. Numbers below 1 given to the initializer become 1.
public struct DeliveryPolicy: Sendable, Equatable {
  /// The time from the beginning of one delivery to that of the next, in milliseconds. A delivery takes along everything that has
  /// been recorded by then, in as many requests as that needs.
  ///
  /// Not waited for: the first delivery of a launch (with it goes what earlier launches left, crash reports too), a `flush`, the
  /// app's way to the background, and its end.
  public var intervalMs: Int

  /// The most that the bodies of all requests of any 60 minutes may have, in bytes, as they go over the wire. What is beyond it
  /// waits. A single body that is larger still goes when nothing else was sent in that time. Counted for each process.
  public var maximumBytesPerHour: Int

  /// The most requests in any 60 minutes, those that fail included. What is beyond it waits. Counted for each process.
  public var maximumRequestsPerHour: Int

  /// Whether anything is sent over a network in Low Data Mode. Apple platforms; elsewhere no network is known to be one.
  public var allowsConstrainedNetwork: Bool

  /// Whether anything is sent over a network that costs by volume: cellular, a personal hotspot. Apple platforms.
  public var allowsExpensiveNetwork: Bool

  /// Every 30 s; 600 requests and 16 MiB an hour; nothing in Low Data Mode, and everything over cellular.
  public static let `default` = DeliveryPolicy()

  /// Everything as soon as it is recorded, without limits, in Low Data Mode too: for a collector on the desk that is reached over the
  /// local network.
  public static let live = DeliveryPolicy(
    intervalMs: 1, maximumBytesPerHour: .max, maximumRequestsPerHour: .max, allowsConstrainedNetwork: true)

  public init(
    intervalMs: Int = 30_000, maximumBytesPerHour: Int = 16 * 1024 * 1024, maximumRequestsPerHour: Int = 600,
    allowsConstrainedNetwork: Bool = false, allowsExpensiveNetwork: Bool = true
  ) {
    self.intervalMs = max(1, intervalMs)
    self.maximumBytesPerHour = max(1, maximumBytesPerHour)
    self.maximumRequestsPerHour = max(1, maximumRequestsPerHour)
    self.allowsConstrainedNetwork = allowsConstrainedNetwork
    self.allowsExpensiveNetwork = allowsExpensiveNetwork
  }
}
