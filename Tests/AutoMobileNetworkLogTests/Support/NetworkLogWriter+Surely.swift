import AutoMobileHTTP
import Foundation

@testable import AutoMobileNetworkLog

// For tests that write faster than a busy machine makes room.
extension NetworkLogWriter {
  /// Records, again and again until there is room.
  func recordSurely(_ exchange: HTTPExchange) {
    _ = eventually { record(exchange) }
  }

  /// Notes that a request begins, again and again until there is room.
  func beginSurely(_ exchange: HTTPExchange) {
    _ = eventually { begin(exchange) }
  }
}
