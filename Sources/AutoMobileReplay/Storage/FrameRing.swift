import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Makes room for frames, where they stay on the device until somebody wants them: the oldest segment goes that nobody wants.
///
/// Any thread but the main one: it reads directories.
final class FrameRing: Sendable {
  private let root: URL
  private let owner: String
  private let budget: FrameBudget
  private let stretches: ReplayStretches?
  /// Sessions that are recorded, or being finished, and how they are read.
  private let open: Locked<[String: @Sendable () -> MayGo]>

  init(root: URL, owner: String, budget: FrameBudget, stretches: ReplayStretches?) {
    self.root = root
    self.owner = owner
    self.budget = budget
    self.stretches = stretches
    open = Locked([:])
  }

  /// A session begins: its last segment grows.
  func add(_ id: String, _ mayGo: @escaping @Sendable () -> MayGo) { open.withLock { $0[id] = mayGo } }

  func remove(_ id: String) { open.withLock { _ = $0.removeValue(forKey: id) } }

  /// Whether anything may be removed at all.
  var keeps: Bool {
    if case .named? = stretches?.holding { true } else { false }
  }

  /// Removes the oldest segment of a session that nobody wants.
  ///
  /// - Returns: false when there is none.
  func makeRoom(in directory: SessionDirectory) -> Bool {
    guard keeps else { return false }
    if let mayGo = open.withLock({ $0[directory.id] }) { return evict(directory, mayGo(), grows: true, endedAt: nil) }
    // What nobody has looked at yet may be wanted, and what another one left is not ours.
    guard stretches?.hasLooked == true, let kept = KeptSession.read(directory), kept.owner == owner else {
      return false
    }
    return evict(directory, kept.record.mayGo(stretches), grows: false, endedAt: kept.endedAt)
  }

  /// The same of the oldest session that has one.
  func makeRoom() -> Bool { keeps && SessionDirectory.all(in: root).contains { makeRoom(in: $0) } }

  private func evict(_ directory: SessionDirectory, _ mayGo: MayGo, grows: Bool, endedAt: Int64?) -> Bool {
    guard mayGo.keeps else { return false }
    let groups = FrameGroup.all(directory.listing(), grows: grows, endedAt: endedAt)
    guard let oldest = groups.first(where: { !$0.grows && !mayGo.takes($0.time) }) else { return false }
    return FrameSegments(directory: directory, budget: budget).remove(oldest.files).isEmpty
  }
}

/// A key frame with what follows it, and the time for which they are what is on the screen.
struct FrameGroup: Sendable, Equatable {
  var files: [FrameFile]
  /// To the next key frame; in milliseconds since 1970 by the session's clock.
  var time: ClosedRange<Int64>
  /// More may come.
  var grows: Bool

  /// - Parameters:
  ///   - listing: what the directory has; files before the first key frame are in none.
  ///   - grows: the session goes on.
  ///   - endedAt: when it ended, if it has, and anybody knows.
  static func all(_ listing: FrameListing, grows: Bool, endedAt: Int64?) -> [FrameGroup] {
    let files = listing.files
    var groups: [FrameGroup] = []
    let keys = files.indices.filter { files[$0].isKey }
    for (number, key) in keys.enumerated() {
      let next = number + 1 < keys.count ? keys[number + 1] : files.endIndex
      let own = Array(files[key..<next])
      // What is left of a segment that was being removed is of another time.
      var shown = files[key]
      for file in own.dropFirst() where file.number == shown.number &+ 1 { shown = file }
      let last = max(shown.timestamp, own[0].timestamp)
      let hole = listing.holes[shown.number &+ 1]
      var end = grows ? Int64.max : max(last, endedAt ?? last)
      if next < files.endIndex { end = files[next].timestamp.subtracting(saturating: 1) }
      if let hole { end = min(end, hole.subtracting(saturating: 1)) }
      groups.append(
        // bounded: no greater than the greatest of them.
        FrameGroup(
          files: own, time: files[key].timestamp...max(files[key].timestamp, last, end),
          grows: grows && next == files.endIndex && hole == nil))
    }
    return groups
  }
}
