import AutoMobileJournal
import AutoMobileSDK
import Foundation

/// Takes what belongs to one session and puts it on disk. When it has been closed it takes nothing more, whoever still holds it:
/// so no frame gets into another session, and none comes after the end.
final class SessionRecorder: ReplaySink, Sendable {
  let directory: SessionDirectory
  let journal: SessionJournal
  private let frames: FrameStore
  private let clock: ReplayClock
  private let now: @Sendable () -> ReplayMoment
  /// Something can be uploaded.
  private let onReady: @Sendable () -> Void
  /// A key frame is wanted soon.
  private let requestKey: @Sendable () -> Void

  private struct State {
    var takesFrames = true
    var isOpen = true
    var session: ReplaySession
    var telemetrySessionIds: [String] = []
    /// The time of the frame that was last told of.
    var toldAt: Int64 = .min
  }
  private let state: Locked<State>
  /// One frame or line at a time; held during the disk's work.
  private let writing = Locked(())

  init(
    _ session: ReplaySession, directory: SessionDirectory, journal: SessionJournal, budget: FrameBudget,
    now: @escaping @Sendable () -> ReplayMoment, onReady: @escaping @Sendable () -> Void,
    requestKey: @escaping @Sendable () -> Void = {}
  ) {
    self.directory = directory
    self.journal = journal
    self.now = now
    self.onReady = onReady
    self.requestKey = requestKey
    frames = FrameStore(directory, budget: budget)
    clock = session.clock
    state = Locked(State(takesFrames: !session.isTelemetryOnly, session: session))
    journal.setSession(
      SessionRecord(id: session.id, startedAt: clock.start.wall, isTelemetryOnly: session.isTelemetryOnly))
  }

  var counts: FrameStore.Counts { frames.counts }
  var telemetrySessionIds: [String] { state.withLock { $0.telemetrySessionIds } }

  // MARK: What capture hands over

  func accept(_ frame: ReplayFrame) {
    let time = clock.time(ofStamp: frame.timestamp, now: now())
    writing.withLock { _ in
      guard state.withLock({ $0.isOpen && $0.takesFrames }) else { return }
      guard let kept = frames.keep(frame, at: time) else { return }
      if let gap = kept.gap { append(.gap(gap), at: gap.since) }
      journal.append(.replayFrame, kept.entry)
    }
    if frame.isKey || beginsPart(time) { onReady() }
    if !frame.isKey, frames.wantsKey { requestKey() }
  }

  /// Whether enough has come to be uploaded before the next key frame.
  private func beginsPart(_ time: Int64) -> Bool {
    state.withLock { state in
      guard time.subtracting(saturating: state.toldAt) > FrameSegments.part else { return false }
      state.toldAt = time
      return true
    }
  }

  func accept(_ snapshot: ReplaySnapshot) {
    let time = clock.time(ofStamp: snapshot.timestamp, now: now())
    writing.withLock { _ in
      guard state.withLock({ $0.isOpen && $0.takesFrames }) else { return }
      journal.append(.replayHierarchy, line: snapshot.bytes, at: time)
    }
  }

  func dropped(_ loss: CaptureLoss) {
    let (since, until) = (clock.time(ofStamp: loss.since, now: now()), clock.time(at: now()))
    writing.withLock { _ in
      guard state.withLock({ $0.isOpen && $0.takesFrames }) else { return }
      frames.noteLoss(loss.frames, loss.reason)
      append(.gap(FrameGap(frames: max(0, loss.frames), reason: loss.reason, since: since, until: until)), at: since)
    }
  }

  // MARK: What the controller says

  func note(_ event: TimelineEvent) {
    let time = clock.time(at: now())
    writing.withLock { _ in
      guard state.withLock({ $0.isOpen }) else { return }
      append(event, at: time)
    }
  }

  private func append(_ event: TimelineEvent, at time: Int64) {
    journal.append(.replayEvent, line: event.line(at: time), at: time)
  }

  /// From now on this is how far the session has come.
  func update(_ session: ReplaySession) { state.withLock { $0.session = session } }

  /// The session of telemetry that events belong to; a replay may go through several.
  func note(telemetrySession id: String?) {
    guard let id else { return }
    state.withLock { if !$0.telemetrySessionIds.contains(id) { $0.telemetrySessionIds.append(id) } }
  }

  func checkpoint() {
    let (session, telemetry) = state.withLock { ($0.session, $0.telemetrySessionIds) }
    let counts = frames.counts
    let checkpoint = Checkpoint(
      at: clock.time(at: now()), lastForegroundAt: session.lastForegroundAt,
      lastBackgroundAt: session.lastBackgroundAt, totalBackgroundMs: session.totalBackgroundMs,
      telemetrySessionIds: telemetry, framesRecorded: counts.recorded, framesDropped: counts.dropped,
      framesLost: Dictionary(counts.lost.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +))
    writing.withLock { _ in
      guard state.withLock({ $0.isOpen }) else { return }
      journal.append(.replayCheckpoint, checkpoint)
    }
  }

  /// No frames any more, events still.
  func stopFrames() { state.withLock { $0.takesFrames = false } }

  /// Takes nothing more. Returns when what was being written is written.
  func close() {
    writing.withLock { _ in
      guard state.withLock({ $0.isOpen }) else { return }
      if let gap = frames.takeGap() { append(.gap(gap), at: gap.since) }
      state.withLock { $0.isOpen = false }
    }
  }

  /// Writes down how it ended, after ``close()``: from then on a later launch can conclude it.
  func keep(_ ending: ReplayEnding) {
    append(.sessionEnd(ending.reason), at: ending.closeAnchorAt)
    journal.append(.replayEnding, ending)
  }
}
