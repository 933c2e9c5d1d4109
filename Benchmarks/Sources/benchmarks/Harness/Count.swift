import Foundation

/// What several threads count.
final class Count: @unchecked Sendable {
  // Unchecked because `lock` guards it.
  private let lock = NSLock()
  private var total = 0

  var value: Int { lock.withLock { total } }
  func add(_ number: Int) { lock.withLock { total += number } }
}
