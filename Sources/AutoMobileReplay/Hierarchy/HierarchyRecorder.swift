import Foundation

/// Hands on snapshots that differ from the one before. For one thread at a time.
struct HierarchyRecorder {
  /// Snapshots are taken so often, while nobody scrolls.
  static let intervalMs = 2000
  static let maximumDepth = 12
  /// A walk ends after so long, with what it has.
  static let budget: UInt64 = 16_000_000

  private var last: Data?

  /// The snapshot's line; nil when it says what the one before said.
  mutating func record(_ snapshot: HierarchySnapshot, at timestamp: Int64) -> ReplaySnapshot? {
    let content = snapshot.content
    guard content != last else { return nil }
    last = content
    return ReplaySnapshot(timestamp: timestamp, bytes: HierarchySnapshot.line(content, at: timestamp))
  }

  /// The next snapshot is handed on whatever it says: a recording begins or goes on.
  mutating func forget() { last = nil }
}
