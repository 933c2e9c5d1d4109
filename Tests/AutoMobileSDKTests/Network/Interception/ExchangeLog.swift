import AutoMobileHTTP
import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Remembers what the interception tells.
final class ExchangeLog: NetworkObserver {
  private let limit: Int?
  private let told = Locked<[HTTPExchange]>([])

  /// - Parameter bodyLimit: nil: wants nothing of any request.
  init(bodyLimit: Int? = 32 * 1024) { limit = bodyLimit }

  func interest(in request: URLRequest) -> CaptureInterest? { limit.map { CaptureInterest(bodyLimit: $0) } }
  func exchangeEnded(_ exchange: HTTPExchange) { told.withLock { $0.append(exchange) } }

  var exchanges: [HTTPExchange] { told.withLock { $0 } }

  /// Once there are so many; fewer when there never are.
  func first(_ count: Int) async -> [HTTPExchange] {
    _ = await eventually { exchanges.count >= count }
    return exchanges
  }

  /// Is told of requests while `body` runs.
  func observing<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    NetworkInterception.shared.add(self)
    defer { NetworkInterception.shared.remove(self) }
    return try await body()
  }
}
