import AutoMobileJournal
import Foundation

/// Makes segments of a session's frames: one of each key frame with what follows it until the next, in parts of some seconds, so
/// that whoever watches a session that is still recorded need not wait for the next key frame. The same files make the same
/// parts, also after a restart.
struct FrameSegments: Sendable {
  /// So much of a segment is one part, in milliseconds of recorded time from its key frame on.
  static let part: Int64 = 4000
  /// A frame is a file so long after it was taken, in milliseconds: later, a part gets no more.
  static let lateness: Int64 = 1000

  let directory: SessionDirectory
  let budget: FrameBudget
  /// What a part may hold, in memory and for the collector, in bytes; what of a segment comes after that is lost. A key frame is
  /// asked for long before.
  var limit = 7 << 20

  /// A segment of which parts are with the collector. Its files stay until it is whole: after a restart the parts are made
  /// again, and recognised.
  struct Growing: Sendable, Equatable {
    /// The number of its key frame.
    var key: Int
    /// The id of its first part.
    var head: String
    /// The number of the last frame that is in a part.
    var upTo: Int
    /// A part is missing: what follows cannot be shown.
    var isBroken = false
  }

  /// A part and the files that are done with once it is uploaded.
  struct Next: Sendable {
    /// Nil: there is nothing more of these files to upload.
    var segment: Segment?
    var files: [FrameFile]
    var lost: Int
    /// What holds of the segment once this is uploaded; nil: it is whole.
    var growing: Growing?
  }

  /// The next one; nil when there is none yet.
  ///
  /// - Parameters:
  ///   - isOver: no frame will come any more, so the last segment is whole.
  ///   - now: milliseconds since 1970.
  ///   - growing: of what parts were uploaded before.
  ///   - gone: files up to this number are done with, whether or not the disk has let them go.
  func next(isOver: Bool, now: Int64, after growing: Growing?, beyond gone: Int = -1) -> Next? {
    let files = directory.frameFiles().filter { $0.number > gone }
    guard let key = files.firstIndex(where: \.isKey) else {
      // Without their key frame they mean nothing.
      return files.isEmpty || !isOver ? nil : Next(files: files, lost: files.count)
    }
    if key > 0 { return Next(files: Array(files[..<key]), lost: key) }
    let end = files[1...].firstIndex(where: \.isKey)
    let group = Array(files[..<(end ?? files.count)])
    let isWhole = end != nil || isOver
    let known = growing?.key == group[0].number ? growing : nil
    let rest = group.filter { $0.number > known?.upTo ?? -1 }
    guard known?.isBroken != true else { return isWhole ? Next(files: group, lost: rest.count) : nil }
    guard let first = rest.first else { return isWhole ? Next(files: group, lost: 0) : nil }

    let part = rest.prefix { Self.number(of: $0, in: group) == Self.number(of: first, in: group) }
    let partEnd = group[0].timestamp.adding(
      saturating: Self.number(of: first, in: group).adding(saturating: 1).multiplied(saturating: Self.part))
    guard isWhole || part.count < rest.count || now > partEnd.adding(saturating: Self.lateness) else { return nil }
    return next(Array(part), of: group, isLast: isWhole && part.count == rest.count, after: known)
  }

  private func next(_ part: [FrameFile], of group: [FrameFile], isLast: Bool, after known: Growing?) -> Next {
    var content = Data()
    var used: [FrameFile] = []
    for file in part {
      // What follows a frame that is gone or too much cannot be shown.
      guard let bytes = FileManager.default.contents(atPath: directory.path(of: file)), !bytes.isEmpty,
        content.count + bytes.count <= limit
      else { break }
      content.append(bytes)
      used.append(file)
    }
    let last = part.last ?? group[0]
    var growing = known ?? Growing(key: group[0].number, head: "", upTo: last.number)
    growing.upTo = last.number
    growing.isBroken = used.count < part.count
    var next = Next(files: isLast ? group : [], lost: part.count - used.count, growing: growing)
    guard let first = used.first, let end = used.last else {
      return isLast ? Next(files: group, lost: next.lost) : next
    }
    let segment = Segment(
      sessionId: directory.id, kind: .screenshots, startTime: first.timestamp,
      endTime: max(first.timestamp, end.timestamp), count: used.count, content: content, continues: known?.head)
    if known == nil { growing.head = segment.id }
    next.segment = segment
    next.growing = isLast ? nil : growing
    return next
  }

  /// Which part of its segment a frame is in.
  private static func number(of file: FrameFile, in group: [FrameFile]) -> Int64 {
    max(0, file.timestamp.subtracting(saturating: group[0].timestamp)) / max(1, part)
  }

  func remove(_ files: [FrameFile]) {
    for file in files {
      let size = directory.size(of: file)
      if unlink(directory.path(of: file)) == 0 { budget.give(back: size) }
    }
  }
}
