import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Makes frames into files: each is written under another name and then renamed, so that what has a frame's name is whole,
/// whenever the process dies. Blocks for as long as the disk takes; not for the main thread.
///
/// A frame that finds no room is lost, and all after it up to the next key frame, since they could not be shown. Where what is recorded
/// stays on the device, what nobody wants makes room first.
final class FrameStore: Sendable {
  struct Counts: Sendable, Equatable {
    var recorded = 0
    /// By why they were lost.
    var lost: [FrameLoss: Int] = [:]

    var dropped: Int { lost.values.reduce(0, +) }
  }

  /// A frame that is a file now, and what was lost before it.
  struct Kept: Sendable, Equatable {
    var entry: FrameEntry
    var gap: FrameGap?
  }

  private struct State {
    var next: Int
    var counts = Counts()
    var backlog: FrameBacklog
    /// What was lost since the last frame that was kept.
    var gap: FrameGap?
    var needsKey = true
    /// From the last key frame on, in bytes and in frames.
    var group = 0
    var groupFrames = 0
    /// A frame of so many bytes found no room.
    var refused = 0

    /// - Parameter reason: of the first; those after it are lost because it is.
    mutating func lose(_ reason: FrameLoss, at time: Int64) {
      var gap = gap ?? FrameGap(frames: 0, reason: reason, since: time)
      gap.frames += 1
      self.gap = gap
      counts.lost[gap.reason, default: 0] += 1
      needsKey = true
    }
  }

  private let directory: SessionDirectory
  private let budget: FrameBudget
  private let ring: FrameRing?
  private let state: Locked<State>

  init(_ directory: SessionDirectory, budget: FrameBudget, ring: FrameRing? = nil) {
    self.ring = ring
    self.directory = directory
    self.budget = budget
    let files = directory.frameFiles()
    state = Locked(State(next: (files.last?.number ?? -1) + 1, backlog: FrameBacklog(files)))
  }

  var counts: Counts { state.withLock { $0.counts } }

  /// One call at a time.
  ///
  /// - Parameter timestamp: the session's time of the frame, in milliseconds since 1970.
  /// - Returns: the file; nil when the frame was lost, which is counted.
  func keep(_ frame: ReplayFrame, at timestamp: Int64) -> Kept? {
    state.withLock { state in
      guard frame.isKey || !state.needsKey else {
        state.lose(.slow, at: timestamp)
        return nil
      }
      let stored = frame.stored(at: timestamp, afterDropping: state.gap?.frames ?? 0)
      let file = FrameFile(number: state.next, timestamp: timestamp, isKey: frame.isKey)
      guard hasRoom(isKey: frame.isKey, &state), take(stored.bytes.count, &state) else {
        state.refused = stored.bytes.count
        state.lose(.network, at: timestamp)
        return nil
      }
      guard write(stored.bytes, to: file) else {
        budget.give(back: stored.bytes.count)
        state.lose(.disk, at: timestamp)
        return nil
      }
      state.next += 1
      state.counts.recorded += 1
      state.backlog.add(isKey: frame.isKey)
      state.needsKey = false
      state.group = (frame.isKey ? 0 : state.group) + stored.bytes.count
      state.groupFrames = (frame.isKey ? 0 : state.groupFrames) + 1
      let entry = FrameEntry(name: file.name, bytes: stored.bytes.count)
      return Kept(entry: entry, gap: Self.takeGap(&state, until: timestamp))
    }
  }

  /// Whether a key frame would help: nothing can be kept until there is one, and there is room for it; or enough has come since
  /// the last one for a segment.
  var wantsKey: Bool {
    state.withLock { state in
      guard state.needsKey else { return state.group >= Self.segmentSize || state.groupFrames >= Self.segmentFrames }
      return hasRoom(isKey: true, &state) && makeRoom(for: state.refused, &state)
    }
  }

  /// In bytes.
  static let segmentSize = 512 << 10
  /// Of those that may wait, one segment is not many.
  static let segmentFrames = 150

  /// Capture lost frames itself, and says so in the next one.
  func noteLoss(_ frames: Int, _ reason: FrameLoss) {
    state.withLock { $0.counts.lost[reason, default: 0] += max(0, frames) }
  }

  /// What was lost until now, after the last frame that was kept: there is no further one to say so.
  func takeGap() -> FrameGap? { state.withLock { Self.takeGap(&$0, until: nil) } }

  private static func takeGap(_ state: inout State, until time: Int64?) -> FrameGap? {
    defer { state.gap = nil }
    state.gap?.until = time
    return state.gap
  }

  /// What has been uploaded is gone from the directory: it is looked at again before anything is refused.
  private func hasRoom(isKey: Bool, _ state: inout State) -> Bool {
    if state.backlog.hasRoom(isKey: isKey) { return true }
    state.backlog = FrameBacklog(directory.frameFiles())
    while !state.backlog.hasRoom(isKey: isKey) {
      guard let ring, ring.makeRoom(in: directory) else { return false }
      state.backlog = FrameBacklog(directory.frameFiles())
    }
    return true
  }

  private func take(_ bytes: Int, _ state: inout State) -> Bool {
    makeRoom(for: bytes, &state) && budget.take(bytes)
  }

  private func makeRoom(for bytes: Int, _ state: inout State) -> Bool {
    while !budget.hasRoom(for: bytes) {
      // What is larger than all of the room is not worth any of it.
      guard bytes <= budget.limit, let ring, ring.makeRoom() else { return false }
      state.backlog = FrameBacklog(directory.frameFiles())
    }
    return true
  }

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
