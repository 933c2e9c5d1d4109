import AutoMobileReplay
import Foundation

/// What a capture has handed over.
package final class RecordedReplay: ReplaySink, @unchecked Sendable {
  // Unchecked: behind its lock.
  private let lock = NSLock()
  private var storedFrames: [ReplayFrame] = []
  private var storedLines: [String] = []
  private var storedLosses: [CaptureLoss] = []

  package init() {}

  package func accept(_ frame: ReplayFrame) { lock.withLock { storedFrames.append(frame) } }
  package func accept(_ snapshot: ReplaySnapshot) {
    lock.withLock { storedLines.append(String(decoding: snapshot.bytes, as: UTF8.self)) }
  }
  package func dropped(_ loss: CaptureLoss) { lock.withLock { storedLosses.append(loss) } }

  package var frames: [ReplayFrame] { lock.withLock { storedFrames } }
  package var lines: [String] { lock.withLock { storedLines } }
  package var losses: [CaptureLoss] { lock.withLock { storedLosses } }
  package var droppedFrames: Int { losses.reduce(0) { $0 + $1.frames } }
}
