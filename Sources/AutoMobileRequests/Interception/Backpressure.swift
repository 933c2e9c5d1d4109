import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Slows a load down whose app takes the answer more slowly than it comes, so that it does not pile up.
///
/// Each wait is short and ends by itself: an app that stands still holds up nobody for good.
final class Backpressure: Sendable {
  /// Pieces under way above which it waits; the loading system cuts them at some ten kilobytes.
  static let mostPieces: UInt64 = 128
  private let pieces = AtomicWord()

  func began() { pieces.add(1) }
  func ended() { pieces.add(.max) }  // One less.

  /// Called by whoever brings the pieces, before the next one.
  func wait() {
    for _ in 0..<10 where pieces.value > Self.mostPieces { usleep(200) }
  }
}
