import AutoMobileHTTP
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Somebody who wants to know of requests: telemetry, the log on the device.
package protocol NetworkObserver: AnyObject, Sendable {
  /// What is wanted of a request that is about to go out; nil: nothing, it is not told of this one.
  ///
  /// Called on a queue of the interception's, never on the thread of whoever made the request, which waits for the
  /// answer: be quick, and wait for nothing.
  func interest(in request: URLRequest) -> CaptureInterest?

  /// A request has gone out: what is known of it, unredacted, without bodies and marked as unfinished.
  /// ``exchangeEnded(_:)`` or ``exchangeLost(_:)`` is called with the same id, unless the process ends before.
  ///
  /// Called on a queue of the interception's while the request is on its way, and at the latest before the app gets anything
  /// of the answer, so that it can be durable by then: be quick, and wait for nothing. A request that ends without an answer
  /// at once may not be told.
  func exchangeBegan(_ exchange: HTTPExchange)

  /// The whole exchange, once, when it has ended: unredacted, with bodies of at most as many bytes as were asked for.
  ///
  /// On the observers' queue, in the order of ending, when the app has been told: it may take its time.
  func exchangeEnded(_ exchange: HTTPExchange)

  /// In its place, when too much waits for that queue: to be counted. On any queue; be quick.
  func exchangeLost(_ exchange: HTTPExchange)

  /// A frame that went over a WebSocket: unredacted, with all of its payload. On the observers' queue.
  func framePassed(_ frame: HTTPWebSocketFrame)

  /// In its place, when too much waits for that queue.
  func frameLost(_ frame: HTTPWebSocketFrame)
}

extension NetworkObserver {
  package func exchangeBegan(_ exchange: HTTPExchange) {}
  package func exchangeLost(_ exchange: HTTPExchange) {}
  package func framePassed(_ frame: HTTPWebSocketFrame) {}
  package func frameLost(_ frame: HTTPWebSocketFrame) {}
}

/// How much of a request an observer wants to see.
package struct CaptureInterest: Sendable, Equatable {
  /// The bytes of each body that are kept; 0: only sizes are told.
  package var bodyLimit: Int

  package init(bodyLimit: Int) { self.bodyLimit = max(0, bodyLimit) }
}
