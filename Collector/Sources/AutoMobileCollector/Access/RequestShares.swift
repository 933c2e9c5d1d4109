import NIOConcurrencyHelpers

/// How many requests each project's key has under way: none has all connections to itself, however many copies of its app
/// there are, or whoever took the key out of one.
final class RequestShares: Sendable {
  private let limit: Int
  private let counts = NIOLockedValueBox<[String: Int]>([:])

  /// - Parameter limit: of one key.
  init(limit: Int) { self.limit = limit }

  /// - Throws: ``APIError`` 429, and what `body` throws.
  func with<Result: Sendable>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
    let hasRoom = counts.withLockedValue { counts in
      guard counts[name, default: 0] < limit else { return false }
      counts[name, default: 0] += 1
      return true
    }
    guard hasRoom else { throw APIError.busy("this key has \(limit) requests under way: try again", retryAfter: 5) }
    defer {
      counts.withLockedValue { counts in
        let left = (counts[name] ?? 1) - 1
        counts[name] = left > 0 ? left : nil
      }
    }
    return try await body()
  }
}
