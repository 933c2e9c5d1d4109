import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// Finishes the sessions that earlier processes left: each on its own, whatever becomes of the others, while a new session is
/// already recorded. Its frames go first, then its lines, then it is concluded.
struct Recovery: Sendable {
  let root: URL
  let owner: String
  let journalOptions: SessionJournalOptions
  let budget: FrameBudget
  let gate: PathGate
  /// What rules and asks name; nil: everything goes.
  var stretches: ReplayStretches?
  /// What this process records or concludes itself.
  let isOurs: @Sendable (String) -> Bool
  let makeUpload: @Sendable (_ telemetrySessionIds: [String]) -> SegmentUpload
  /// Milliseconds since 1970, by the clock that files have.
  var now: @Sendable () -> Int64 = Clocks.millisecondsSince1970
  /// The same by the clock that sessions have.
  var wall: @Sendable () -> Int64 = Clocks.millisecondsSince1970

  struct Result: Sendable, Equatable {
    var concluded: [String] = []
    var left: [String] = []
    /// Those of which nobody wants the rest yet.
    var kept: [String] = []
  }

  /// Sessions that wait for a collector, or for somebody who wants them; of more, the oldest go, first those that nobody wants.
  static let mostWaiting = 64
  /// A directory without any record may be one that somebody is just making a session in; one of so long ago is not. In milliseconds.
  static let longestMaking: Int64 = 86_400_000

  /// Concludes all that can be concluded now.
  func run() async -> Result {
    var result = Result()
    var waiting = SessionDirectory.all(in: root).filter { !isOurs($0.id) }
    // Nothing is removed as long as nobody knows what is wanted: of too many neither.
    if stretches?.holding == .unknown {
      result.kept = waiting.map(\.id)
      return result
    }
    makeRoom(among: &waiting)
    // As long as rules have not been held against what is left, any of them may be wanted: all have their turn.
    let most = keepDays != nil && !hasLooked ? waiting.count : Self.mostWaiting
    for directory in waiting.dropLast(most) where mayGo(directory) { remove(directory) }
    for directory in waiting.suffix(most) {
      // Whoever is asked next looks after the rest.
      guard !Task.isCancelled else {
        result.left.append(directory.id)
        continue
      }
      switch await recover(directory) {
      case .concluded: result.concluded.append(directory.id)
      case .left: result.left.append(directory.id)
      case .kept: result.kept.append(directory.id)
      case .somebodyElses: break
      }
    }
    return result
  }

  private enum Fate { case concluded, left, kept, somebodyElses }

  private func recover(_ directory: SessionDirectory) async -> Fate {
    // Nobody opens it as long as nothing of it is wanted; and nothing is removed as long as nobody knows what is.
    if stretches?.holding == .unknown { return .kept }
    if let kept = kept(directory), !owesEnd(kept, directory), !isWanted(kept), !isExpired(kept) { return .kept }
    // Opening a journal changes it.
    let isNew = isNew(directory)
    guard let journal = open(directory) else { return .left }
    let fate = await recover(directory, journal, isNew: isNew)
    journal.closeAndWait()
    if fate == .concluded { remove(directory) }
    return fate
  }

  /// Nil as long as something of it cannot be read: what is there would look like nothing, and whoever opens it changes it.
  func open(_ directory: SessionDirectory) -> SessionJournal? {
    guard directory.isReadable else { return nil }
    return try? SessionJournal(recovering: directory, owner: owner, options: journalOptions)
  }

  private func isNew(_ directory: SessionDirectory) -> Bool {
    now().subtracting(saturating: directory.changedAt ?? 0) < Self.longestMaking
  }

  /// Whether nobody records it, or is at it.
  private func mayGo(_ directory: SessionDirectory) -> Bool {
    let isNew = isNew(directory)
    guard let journal = open(directory) else { return false }
    defer { journal.closeAndWait() }
    return !journal.isSomebodyElses && !(journal.launches.isEmpty && isNew)
  }

  func remove(_ directory: SessionDirectory) {
    FrameSegments(directory: directory, budget: budget).remove(directory.frameFiles())
    directory.remove()
  }

  private func recover(_ directory: SessionDirectory, _ journal: SessionJournal, isNew: Bool) async -> Fate {
    guard let record = journal.last(.replaySession, as: SessionRecord.self), record.id == directory.id else {
      // Somebody records it, or concludes it, however long ago it began: this process, another one, or a program that shares the
      // directory.
      if journal.isSomebodyElses || journal.launches.isEmpty && isNew { return .somebodyElses }
      // Else nothing was ever written, and the directory is only in the way; unless it can be read no more.
      return directory.isReadable ? .concluded : .left
    }
    let checkpoint = journal.last(.replayCheckpoint, as: Checkpoint.self)
    let ending = ending(of: record, checkpoint, directory, journal)
    let upload = SessionUpload(
      directory, journal: journal, budget: budget, upload: makeUpload(checkpoint?.telemetrySessionIds ?? []),
      gate: gate, mayGo: { [stretches] in record.mayGo(stretches) }, onRefusal: { _ in })
    switch await upload.conclude(
      ending, session: record, checkpoint: checkpoint, owner: owner, isExpired: isExpired)
    {
    case .concluded: return .concluded
    case .kept: return .kept
    case .left: return .left
    }
  }

  func ending(
    of record: SessionRecord, _ checkpoint: Checkpoint?, _ directory: SessionDirectory, _ journal: SessionJournal
  ) -> ReplayEnding {
    journal.last(.replayEnding, as: ReplayEnding.self)
      ?? Self.ending(record, checkpoint, lastSeen: lastSeen(directory, journal))
  }

  /// The end of a session that nobody ended: where it last went to the background, unless it came back; else where it was last
  /// seen.
  static func ending(_ session: SessionRecord, _ checkpoint: Checkpoint?, lastSeen: Int64?) -> ReplayEnding {
    let active = max(session.startedAt, checkpoint?.at ?? session.startedAt, lastSeen ?? session.startedAt)
    var anchor = active
    if let background = checkpoint?.lastBackgroundAt, background >= checkpoint?.lastForegroundAt ?? .min {
      anchor = max(session.startedAt, background)
    }
    return ReplayEnding(
      reason: .recoveryFinalize, endedAt: anchor, closeAnchorAt: anchor,
      totalBackgroundMs: checkpoint?.totalBackgroundMs ?? 0)
  }

  /// The time of the last frame there is: it may be later than the last checkpoint.
  private func lastSeen(_ directory: SessionDirectory, _ journal: SessionJournal) -> Int64? {
    let indexed = journal.last(.replayFrame, as: FrameEntry.self).flatMap { FrameFile(name: $0.name)?.timestamp }
    return [directory.frameFiles().last?.timestamp, indexed].compactMap { $0 }.max()
  }
}
