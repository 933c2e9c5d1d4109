import AutoMobileSupport
import Foundation

/// How delivery stands, for diagnostics.
public struct DeliveryStatus: Sendable, Equatable, Codable {
  /// What delivery waits for.
  public enum Wait: String, Sendable, Codable {
    /// The next delivery: ``DeliveryPolicy/intervalMs``.
    case interval
    /// The limits of an hour: ``DeliveryPolicy/maximumBytesPerHour``, ``DeliveryPolicy/maximumRequestsPerHour``.
    case hourlyLimit
    /// The receiver asked for it, with `Retry-After`.
    case receiver
    /// The next try after trouble: ``DeliveryStatus/lastError``.
    case trouble
  }

  /// Where events are posted to; nil while no receiver has been found.
  public var endpoint: URL?
  /// The body format in use: `envelope`, or `journal` when the receiver has said that it takes it.
  public var format: String?
  /// The status of the last answer; 0 when there was none. Nil before the first request.
  public var lastStatusCode: Int?
  /// What went wrong last; nil when the last request succeeded.
  public var lastError: String?
  /// When a batch was last taken, in milliseconds since 1970.
  public var lastSuccess: Int64?
  /// Nothing is sent before this time, in milliseconds since 1970; nil when delivery does not wait.
  public var nextAttempt: Int64?
  /// What delivery waits for until ``nextAttempt``; nil when it does not wait.
  public var waitsFor: Wait?
  /// Requests that were sent, those that failed included.
  public var requests: UInt64 = 0
  /// Bytes of bodies that were sent, as they went over the wire.
  public var bytesSent: UInt64 = 0
  /// Batches that the receiver took.
  public var batchesDelivered: UInt64 = 0
  /// Events that the receiver took.
  public var eventsDelivered: UInt64 = 0
  /// Events that the receiver refused; they were set aside.
  public var eventsRejected: UInt64 = 0

  public init() {}
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension DeliveryStatus {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    endpoint = members.value("endpoint")
    format = members.value("format")
    lastStatusCode = members.value("lastStatusCode")
    lastError = members.value("lastError")
    lastSuccess = members.value("lastSuccess")
    nextAttempt = members.value("nextAttempt")
    waitsFor = members.value("waitsFor")
    requests = members.value("requests")
    bytesSent = members.value("bytesSent")
    batchesDelivered = members.value("batchesDelivered")
    eventsDelivered = members.value("eventsDelivered")
    eventsRejected = members.value("eventsRejected")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("endpoint", endpoint)
    members.add("format", format)
    members.add("lastStatusCode", lastStatusCode)
    members.add("lastError", lastError)
    members.add("lastSuccess", lastSuccess)
    members.add("nextAttempt", nextAttempt)
    members.add("waitsFor", waitsFor)
    members.add("requests", requests)
    members.add("bytesSent", bytesSent)
    members.add("batchesDelivered", batchesDelivered)
    members.add("eventsDelivered", eventsDelivered)
    members.add("eventsRejected", eventsRejected)
    try members.end()
  }
}
