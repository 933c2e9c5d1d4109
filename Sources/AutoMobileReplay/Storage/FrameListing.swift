import Foundation

/// What a session's directory has of frames, looked at once.
struct FrameListing: Sendable {
  /// In the order in which they were taken.
  var files: [FrameFile] = []
  /// When the segments began that are gone, by the numbers of their key frames.
  var holes: [Int: Int64] = [:]

  init(_ names: [String]) {
    for name in names {
      if let file = FrameFile(name: name) {
        files.append(file)
      } else if let hole = FrameHole.read(name) {
        holes[hole.number] = hole.timestamp
      }
    }
    files.sort()
  }
}

extension SessionDirectory {
  /// Files that were being written when the process died are no frames.
  func listing() -> FrameListing {
    FrameListing((try? FileManager.default.contentsOfDirectory(atPath: frames.path)) ?? [])
  }

  func frameFiles() -> [FrameFile] { listing().files }

  /// Before a segment is removed: one hole for each that stays is enough.
  ///
  /// The key frame's file becomes the hole: a full disk has no room for another.
  ///
  /// - Returns: false when there is none where one is needed. Nothing may be removed then: the segment before would be taken to have
  ///   been on the screen instead, and be sent to whoever wants this one.
  func leaveHole(for segment: [FrameFile]) -> Bool {
    guard let key = segment.first(where: \.isKey), let last = segment.last else { return true }
    let listing = listing()
    if listing.files.contains(where: { $0.number == key.number &- 1 }) {
      let hole = frames.path + "/" + FrameHole.name(of: key)
      // Without a key frame, the rest is of no time at all.
      guard rename(path(of: key), hole) == 0 || errno == ENOENT else { return false }
      truncate(hole, 0)
    }
    // What this one ended with is nobody's end any more.
    guard let end = listing.holes[last.number &+ 1] else { return true }
    let next = FrameFile(number: last.number &+ 1, timestamp: end, isKey: true)
    unlink(frames.path + "/" + FrameHole.name(of: next))
    return true
  }
}
