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
  /// answer: be quick.
  func interest(in request: URLRequest) -> CaptureInterest?

  /// A request goes out: what is known of it, unredacted, without bodies and marked as unfinished. ``exchangeEnded(_:)`` is
  /// called with the same id, unless the process ends before. On a queue of the interception's.
  func exchangeBegan(_ exchange: HTTPExchange)

  /// The whole exchange, once, when it has ended: unredacted, with bodies of at most as many bytes as were asked for.
  /// On a queue of the interception's.
  func exchangeEnded(_ exchange: HTTPExchange)

  /// A frame that went over a WebSocket: unredacted, with all of its payload. On the thread of whoever sent or received it.
  func framePassed(_ frame: HTTPWebSocketFrame)
}

extension NetworkObserver {
  package func exchangeBegan(_ exchange: HTTPExchange) {}
  package func framePassed(_ frame: HTTPWebSocketFrame) {}
}

/// How much of a request an observer wants to see.
package struct CaptureInterest: Sendable, Equatable {
  /// The bytes of each body that are kept; 0: only sizes are told.
  package var bodyLimit: Int

  package init(bodyLimit: Int) { self.bodyLimit = max(0, bodyLimit) }
}
