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
  ///   - growing: of what parts were uploaded before, by the numbers of key frames: of several, where an earlier one was wanted in between.
  ///   - stuck: the numbers of files that are done with, though the disk has not let them go.
  ///   - mayGo: the segments of other times stay.
  ///   - endedAt: when the session ended, if it has; nil: nobody knows.
  func next(
    isOver: Bool, now: Int64, growing: [Int: Growing] = [:], except stuck: Set<Int> = [],
    mayGo: MayGo = .everything, endedAt: Int64? = nil
  ) -> Next? {
    let listing = directory.listing()
    let files = listing.files.filter { !stuck.contains($0.number) }
    let start = files.firstIndex(where: \.isKey) ?? (isOver ? files.count : 0)
    // Without their key frame they mean nothing. Where nobody wants segments, it is gone because one is being removed.
    if start > 0, mayGo != .unknown { return Next(files: Array(files[..<start]), lost: mayGo.keeps ? 0 : start) }
    // Those that the disk keeps end the one before them all the same.
    for group in FrameGroup.all(listing, grows: !isOver, endedAt: endedAt)
    where !stuck.contains(group.files[0].number) && mayGo.takes(group.time) {
      let own = group.files.filter { !stuck.contains($0.number) }
      let next = next(of: own, isWhole: !group.grows, now: now, after: growing[own[0].number])
      // One that waits for more to come holds nothing up; where everything goes, it is the last one anyhow.
      if let next { return next }
    }
    return nil
  }

  private func next(of group: [FrameFile], isWhole: Bool, now: Int64, after known: Growing?) -> Next? {
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
    var before = known?.upTo ?? group[0].number &- 1
    for file in part {
      // What follows a frame that is gone or too much cannot be shown.
      guard file.number == before &+ 1,
        let bytes = FileManager.default.contents(atPath: directory.path(of: file)), !bytes.isEmpty,
        content.count + bytes.count <= limit
      else { break }
      content.append(bytes)
      used.append(file)
      before = file.number
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

  /// In their order: of a segment that is removed in part, no key frame is left, and what is left follows nothing.
  ///
  /// - Returns: those that the disk keeps.
  @discardableResult
  func remove(_ files: [FrameFile]) -> [FrameFile] {
    let sizes = files.map(directory.size(of:))
    guard directory.leaveHole(for: files) else { return files }
    return zip(files, sizes).filter { file, size in
      guard unlink(directory.path(of: file)) == 0 || errno == ENOENT else { return true }
      budget.give(back: size)
      return false
    }.map(\.0)
  }
}
