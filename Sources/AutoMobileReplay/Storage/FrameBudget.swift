import AutoMobileSDK

/// How much the frames of all sessions together may take on disk. Any thread.
final class FrameBudget: Sendable {
  /// In bytes.
  let limit: Int
  private let used: Locked<Int>

  init(limit: Int = 48 << 20, used: Int = 0) {
    self.limit = max(0, limit)
    self.used = Locked(max(0, used))
  }

  var taken: Int { used.withLock { $0 } }

  /// Whether so many bytes may be taken; then they are.
  func take(_ bytes: Int) -> Bool {
    used.withLock { used in
      guard bytes <= limit - used else { return false }
      used += bytes
      return true
    }
  }

  func hasRoom(for bytes: Int) -> Bool { used.withLock { bytes <= limit - $0 } }

  /// What is there, whether there is room for it or not.
  func count(_ bytes: Int) { used.withLock { $0 += bytes } }

  func give(back bytes: Int) { used.withLock { $0 = max(0, $0 - bytes) } }
}
