import AutoMobileSupport

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

// By hand, and as the compiler would do it: see `MemberReader`.
extension HTTPTimings {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    domainLookupStart = members.value("domainLookupStart")
    domainLookupEnd = members.value("domainLookupEnd")
    connectStart = members.value("connectStart")
    secureConnectionStart = members.value("secureConnectionStart")
    secureConnectionEnd = members.value("secureConnectionEnd")
    connectEnd = members.value("connectEnd")
    requestStart = members.value("requestStart")
    requestEnd = members.value("requestEnd")
    responseStart = members.value("responseStart")
    responseEnd = members.value("responseEnd")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("domainLookupStart", domainLookupStart)
    members.add("domainLookupEnd", domainLookupEnd)
    members.add("connectStart", connectStart)
    members.add("secureConnectionStart", secureConnectionStart)
    members.add("secureConnectionEnd", secureConnectionEnd)
    members.add("connectEnd", connectEnd)
    members.add("requestStart", requestStart)
    members.add("requestEnd", requestEnd)
    members.add("responseStart", responseStart)
    members.add("responseEnd", responseEnd)
    try members.end()
  }
}
