/// How much one key, one project and one launch may have of the collector. What is nil is not limited.
public struct DeliveryRates: Sendable, Equatable {
  /// Requests of one key, of whatever kind. After a pause, those of ten seconds may come at once.
  public var requestsPerSecond: Double?
  /// Bytes of bodies that one key delivers, as sent. After a pause, those of ten seconds may come at once.
  public var bytesPerSecond: Double?
  /// Bytes of bodies that one project's keys deliver in a day (UTC).
  public var projectBytesPerDay: Int64?
  /// Bytes of bodies that one launch of an app delivers in a day: one device has one at a time.
  public var launchBytesPerDay: Int64?
  /// Bodies a second that one launch of an app delivers. After a pause, those of ten seconds may come at once.
  public var launchBodiesPerSecond: Double?

  public init() {}

  /// Without limits: what holds on loopback.
  public static let unlimited = DeliveryRates()

  /// What holds on any other address: far beyond what an app's devices send through one key of a collector that keeps up.
  public static let standard: DeliveryRates = {
    var rates = DeliveryRates()
    rates.requestsPerSecond = 1000
    rates.bytesPerSecond = 67_108_864
    return rates
  }()
}
