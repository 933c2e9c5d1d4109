import Foundation

/// Makes segments of a session's frames: one of each key frame with what follows it until the next. So the same files make the
/// same segments, also after a restart.
struct FrameSegments: Sendable {
  let directory: SessionDirectory
  let budget: FrameBudget
  /// What a segment may hold, in memory and for the collector, in bytes; frames of one group beyond it are lost. A key frame is
  /// asked for long before.
  var limit = 7 << 20

  /// A segment and the files that are done with once it is uploaded.
  struct Next: Sendable {
    /// Nil: these files can never be shown.
    var segment: Segment?
    var files: [FrameFile]
    var lost: Int
  }

  /// The next one; nil when there is none yet.
  ///
  /// - Parameter isOver: no frame will come any more, so the last group is whole.
  func next(isOver: Bool) -> Next? {
    let files = directory.frameFiles()
    guard let key = files.firstIndex(where: \.isKey) else {
      // Without their key frame they mean nothing.
      return files.isEmpty || !isOver ? nil : Next(segment: nil, files: files, lost: files.count)
    }
    if key > 0 { return Next(segment: nil, files: Array(files[..<key]), lost: key) }
    let end = files[1...].firstIndex(where: \.isKey)
    guard end != nil || isOver else { return nil }
    let group = Array(files[..<(end ?? files.count)])
    var content = Data()
    var used: [FrameFile] = []
    for file in group {
      // What follows a frame that is gone or too much cannot be shown.
      guard let bytes = FileManager.default.contents(atPath: directory.path(of: file)), !bytes.isEmpty,
        content.count + bytes.count <= limit
      else { break }
      content.append(bytes)
      used.append(file)
    }
    guard let first = used.first, let last = used.last else {
      return Next(segment: nil, files: group, lost: group.count)
    }
    let segment = Segment(
      sessionId: directory.id, kind: .screenshots, startTime: first.timestamp,
      endTime: max(first.timestamp, last.timestamp), count: used.count, content: content)
    return Next(segment: segment, files: group, lost: group.count - used.count)
  }

  func remove(_ files: [FrameFile]) {
    for file in files {
      let size = directory.size(of: file)
      if unlink(directory.path(of: file)) == 0 { budget.give(back: size) }
    }
  }
}
