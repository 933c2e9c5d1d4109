import AutoMobileSDK
import Foundation

/// Makes frames into files: each is written under another name and then renamed, so that what has a frame's name is whole,
/// whenever the process dies. Blocks for as long as the disk takes; not for the main thread.
///
/// A frame that finds no room is lost, and all after it up to the next key frame, since they could not be shown.
final class FrameStore: Sendable {
  struct Counts: Sendable, Equatable {
    var recorded = 0
    var dropped = 0
  }

  private struct State {
    var next: Int
    var counts = Counts()
    /// What was lost since the last frame that was kept.
    var gap = 0
    var needsKey = true
    /// In bytes, from the last key frame on.
    var group = 0

    mutating func lose(_ frames: Int) {
      counts.dropped += frames
      gap += frames
      needsKey = true
    }
  }

  private let directory: SessionDirectory
  private let budget: FrameBudget
  private let state: Locked<State>

  init(_ directory: SessionDirectory, budget: FrameBudget) {
    self.directory = directory
    self.budget = budget
    state = Locked(State(next: (directory.frameFiles().last?.number ?? -1) + 1))
  }

  var counts: Counts { state.withLock { $0.counts } }

  /// One call at a time.
  ///
  /// - Parameter timestamp: the session's time of the frame, in milliseconds since 1970.
  /// - Returns: the file; nil when the frame was lost, which is counted.
  func keep(_ frame: ReplayFrame, at timestamp: Int64) -> FrameEntry? {
    state.withLock { state in
      guard frame.isKey || !state.needsKey else {
        state.lose(1)
        return nil
      }
      let stored = frame.stored(at: timestamp, afterDropping: state.gap)
      let file = FrameFile(number: state.next, timestamp: timestamp, isKey: frame.isKey)
      guard budget.take(stored.bytes.count) else {
        state.lose(1)
        return nil
      }
      guard write(stored.bytes, to: file) else {
        budget.give(back: stored.bytes.count)
        state.lose(1)
        return nil
      }
      state.next += 1
      state.counts.recorded += 1
      state.gap = 0
      state.needsKey = false
      state.group = (frame.isKey ? 0 : state.group) + stored.bytes.count
      return FrameEntry(name: file.name, bytes: stored.bytes.count)
    }
  }

  /// Nothing can be kept until there is a key frame, or enough has come since the last one for a segment.
  var wantsKey: Bool { state.withLock { $0.needsKey || $0.group >= Self.segmentSize } }

  /// In bytes.
  static let segmentSize = 512 << 10

  /// Capture lost frames itself, and says so in the next one.
  func noteLoss(_ frames: Int) { state.withLock { $0.counts.dropped += max(0, frames) } }

  private func write(_ bytes: Data, to file: FrameFile) -> Bool {
    let path = directory.path(of: file)
    let unfinished = path + ".part"
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let isWritten = bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        offset += count
      }
      return true
    }
    close(descriptor)
    if isWritten, rename(unfinished, path) == 0 { return true }
    unlink(unfinished)
    return false
  }
}
