import Foundation
import GRDB
import NIOConcurrencyHelpers

/// The connections of those who see some projects only, opened when the first of them asks.
final class WalledReaders: Sendable {
  private let path: String
  private let limits: CollectorLimits
  private let pool = NIOLockedValueBox<DatabasePool?>(nil)

  init(path: String, limits: CollectorLimits) {
    self.path = path
    self.limits = limits
  }

  /// - Throws: what the database says when it cannot be opened.
  func readers() async throws -> DatabasePool {
    if let known = pool.withLockedValue({ $0 }) { return known }
    return try await offLoop { [self] in
      try pool.withLockedValue { pool in
        if let known = pool { return known }
        let made = try DatabasePool(
          path: path, configuration: EventStore.readers(limits) { try ProjectWall.build(in: $0) })
        pool = made
        return made
      }
    }
  }

  func close() throws { try pool.withLockedValue { $0 }?.close() }
}
