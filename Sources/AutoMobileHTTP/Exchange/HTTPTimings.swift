/// Where an exchange's time went, in milliseconds from its start, of the last request when there were redirects.
///
/// A phase that did not happen (a connection that was used again) or was not measured is nil. Linux's Foundation measures none.
public struct HTTPTimings: Codable, Sendable, Equatable {
  public var domainLookupStart: Double?
  public var domainLookupEnd: Double?
  public var connectStart: Double?
  /// Within the time from ``connectStart`` to ``connectEnd``.
  public var secureConnectionStart: Double?
  public var secureConnectionEnd: Double?
  public var connectEnd: Double?
  public var requestStart: Double?
  public var requestEnd: Double?
  /// The first byte of the response.
  public var responseStart: Double?
  public var responseEnd: Double?

  public init() {}
}
