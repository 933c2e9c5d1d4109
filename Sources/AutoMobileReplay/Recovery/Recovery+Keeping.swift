import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// Sessions that stay on the device until somebody wants them, or they are too old.
extension Recovery {
  /// What all of them may take on disk together, in bytes, with their journals.
  static let mostKept = 96 << 20
  /// What somebody wants stays so long at least, in milliseconds: four weeks.
  static let wantedAge: Int64 = 28 * 86_400_000

  /// What is known of a session that stays, without opening it; nil: nothing, or it is not for us to say.
  func kept(_ directory: SessionDirectory) -> KeptSession? {
    guard keepDays != nil, let kept = KeptSession.read(directory), kept.owner == owner else { return nil }
    return kept
  }

  func isWanted(_ kept: KeptSession) -> Bool { kept.isWanted(kept.record.mayGo(stretches)) }

  /// Rules have been held against what earlier launches left, where there are any.
  var hasLooked: Bool { stretches?.hasLooked ?? true }

  /// The collector has heard of it, and not that it is over.
  func owesEnd(_ kept: KeptSession, _ directory: SessionDirectory) -> Bool {
    !kept.hasToldEnd && directory.isAnnounced
  }

  /// What has to be done without a network as well: notes what sessions are that nobody has finished, makes room, and removes what is
  /// too old. A phone may be offline for longer than anything is kept.
  func tidy() {
    guard keepDays != nil else { return }
    var waiting = SessionDirectory.all(in: root).filter { !isOurs($0.id) }
    for directory in waiting where KeptSession.read(directory) == nil { note(directory) }
    makeRoom(among: &waiting)
    for directory in waiting {
      guard let kept = kept(directory), isExpired(kept), !owesEnd(kept, directory) else { continue }
      remove(directory)
    }
  }

  private func note(_ directory: SessionDirectory) {
    guard let journal = open(directory) else { return }
    defer { journal.closeAndWait() }
    guard let record = journal.last(.replaySession, as: SessionRecord.self), record.id == directory.id else { return }
    let checkpoint = journal.last(.replayCheckpoint, as: Checkpoint.self)
    let ending = ending(of: record, checkpoint, directory, journal)
    KeptSession(owner: owner, record: record, endedAt: ending.time(of: record, directory)).write(directory)
  }

  /// Not before rules have been held against what its launch left: its crash may be as old as it is.
  func isExpired(_ kept: KeptSession) -> Bool {
    guard let keepDays, stretches?.hasLooked == true else { return false }
    let age = wall().subtracting(saturating: kept.endedAt)
    let most = Int64(clamping: keepDays).multiplied(saturating: 86_400_000)
    return age > (isWanted(kept) ? max(most, Self.wantedAge) : most)
  }

  /// How long what nobody wants stays; nil: everything goes, or nobody knows.
  var keepDays: Int? {
    guard case .named(let days)? = stretches?.holding else { return nil }
    return days
  }

  /// Of too many, or too much, the oldest go that nobody wants. Of some the collector has heard: their ends have been told.
  func makeRoom(among waiting: inout [SessionDirectory]) {
    guard keepDays != nil, stretches?.hasLooked == true else { return }
    var bytes = waiting.reduce(0) { $0.adding(saturating: $1.bytes) }
    for directory in waiting where waiting.count > Self.mostWaiting || bytes > Self.mostKept {
      guard let kept = kept(directory), !isWanted(kept) else { continue }
      bytes = bytes.subtracting(saturating: directory.bytes)
      remove(directory)
      waiting.removeAll { $0 == directory }
    }
  }
}

extension SessionDirectory {
  /// What is in it, in bytes.
  var bytes: Int {
    [frames, journal].reduce(0) { sum, folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.reduce(sum) { sum, name in
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
        return sum.adding(saturating: (attributes?[.size] as? NSNumber)?.intValue ?? 0)
      }
    }
  }
}
