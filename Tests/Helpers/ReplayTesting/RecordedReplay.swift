import AutoMobileReplay
import Foundation

/// What a capture has handed over.
package final class RecordedReplay: ReplaySink, @unchecked Sendable {
  // Unchecked: behind its lock.
  private let lock = NSLock()
  private var storedFrames: [ReplayFrame] = []
  private var storedLines: [String] = []
  private var storedDrops = 0

  package init() {}

  package func accept(_ frame: ReplayFrame) { lock.withLock { storedFrames.append(frame) } }
  package func accept(_ snapshot: ReplaySnapshot) {
    lock.withLock { storedLines.append(String(decoding: snapshot.bytes, as: UTF8.self)) }
  }
  package func dropped(_ frames: Int) { lock.withLock { storedDrops += frames } }

  package var frames: [ReplayFrame] { lock.withLock { storedFrames } }
  package var lines: [String] { lock.withLock { storedLines } }
  package var droppedFrames: Int { lock.withLock { storedDrops } }
}
