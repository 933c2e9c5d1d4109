import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Takes what belongs to one session and puts it on disk. When it has been closed it takes nothing more, whoever still holds it:
/// so no frame gets into another session, and none comes after the end.
final class SessionRecorder: ReplaySink, Sendable {
  let directory: SessionDirectory
  let journal: SessionJournal
  private let frames: FrameStore
  private let clock: ReplayClock
  private let wall: WallClock
  private let now: @Sendable () -> ReplayMoment
  /// Something can be uploaded.
  private let onReady: @Sendable () -> Void
  /// A key frame is wanted soon.
  private let requestKey: @Sendable () -> Void

  private struct State {
    var takesFrames = true
    var isOpen = true
    var session: ReplaySession
    var record: SessionRecord
    var telemetrySessionIds: [String] = []
    /// As far as the app has said it since this began.
    var user: String?
    /// The time of the frame that was last told of.
    var toldAt: Int64 = .min
    /// What was said and is not written yet.
    var waiting: [(event: TimelineEvent, time: Int64)] = []
    var isWriting = false

    mutating func takeWaiting() -> [(event: TimelineEvent, time: Int64)] {
      isWriting = false
      defer { waiting = [] }
      return waiting
    }
  }
  private let state: Locked<State>
  /// The disk's work, one thing at a time. Capture's queue waits for it, so that no more is drawn than can be kept; whoever says
  /// something does not.
  private let disk = DispatchQueue(label: "dev.jasonpearson.automobile.replay.disk", qos: .utility)

  /// Of what was said and waits for the disk; of more, the oldest goes.
  static let mostWaiting = 1000

  /// - Parameters:
  ///   - launch: the SDK's; nil: there is none.
  ///   - ring: what makes room; nil: what comes is lost when there is none.
  ///   - wall: what counts in this process how often the clock has been set back.
  init(
    _ session: ReplaySession, directory: SessionDirectory, journal: SessionJournal, budget: FrameBudget,
    launch: String? = nil, ring: FrameRing? = nil, wall: WallClock = WallClock(),
    now: @escaping @Sendable () -> ReplayMoment,
    onReady: @escaping @Sendable () -> Void,
    requestKey: @escaping @Sendable () -> Void = {}
  ) {
    self.directory = directory
    self.journal = journal
    self.now = now
    self.onReady = onReady
    self.requestKey = requestKey
    frames = FrameStore(directory, budget: budget, ring: ring)
    clock = session.clock
    self.wall = wall
    let count = wall.note(clock.start)
    var record = SessionRecord(
      id: session.id, startedAt: clock.start.wall, isTelemetryOnly: session.isTelemetryOnly, launch: launch)
    if count.end != nil { (record.clock, record.clockEnd) = (count.number, count.end) }
    state = Locked(State(takesFrames: !session.isTelemetryOnly, session: session, record: record))
    journal.setSession(record)
  }

  /// What the session is, and what has been done to the clock since it began.
  var record: SessionRecord { state.withLock { $0.record } }

  var telemetrySessionIds: [String] { state.withLock { $0.telemetrySessionIds } }
  /// What has become of frames until now.
  var counts: FrameStore.Counts { frames.counts }

  // MARK: What capture hands over

  func accept(_ frame: ReplayFrame) {
    let now = now()
    let time = clock.time(ofStamp: frame.timestamp, now: now)
    disk.sync {
      writeWaiting()
      noteClock(now)
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
    disk.sync {
      writeWaiting()
      guard state.withLock({ $0.isOpen && $0.takesFrames }) else { return }
      journal.append(.replayHierarchy, line: snapshot.bytes, at: time)
    }
  }

  /// Waits for nothing, as it is told by whoever stops capture.
  func dropped(_ loss: CaptureLoss) {
    // Not later: they were lost before frames were given up, whenever the disk comes to it.
    guard state.withLock({ $0.takesFrames }) else { return }
    let (since, until) = (clock.time(ofStamp: loss.since, now: now()), clock.time(at: now()))
    disk.async { [self] in
      writeWaiting()
      guard state.withLock({ $0.isOpen }) else { return }
      frames.noteLoss(loss.frames, loss.reason)
      append(.gap(FrameGap(frames: max(0, loss.frames), reason: loss.reason, since: since, until: until)), at: since)
    }
  }

  // MARK: What the controller says

  /// Any thread; waits for nothing. What is said is written in its order.
  func note(_ event: TimelineEvent) {
    let time = clock.time(at: now())
    let isFirst = state.withLock { state in
      guard state.isOpen else { return false }
      if state.waiting.count >= Self.mostWaiting { state.waiting.removeFirst() }
      state.waiting.append((event, time))
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isFirst { disk.async { self.writeWaiting() } }
  }

  /// On ``disk``.
  private func writeWaiting() {
    for (event, time) in state.withLock({ $0.takeWaiting() }) { append(event, at: time) }
  }

  private func append(_ event: TimelineEvent, at time: Int64) {
    journal.append(.replayEvent, line: event.line(at: time), at: time)
  }

  /// From now on this is how far the session has come.
  func update(_ session: ReplaySession) { state.withLock { $0.session = session } }

  /// The session of telemetry that events belong to; a replay may go through several.
  func note(telemetrySession id: String?) {
    guard let id else { return }
    let isNext = state.withLock { state in
      guard !state.telemetrySessionIds.contains(id) else { return false }
      state.telemetrySessionIds.append(id)
      return state.telemetrySessionIds.count > 1
    }
    // Segments go whole: whoever wants the new one's need not get what was on the screen before.
    if isNext { requestKey() }
  }

  /// Who uses the app from now on. Likewise.
  func note(user: String?) {
    note(.identity(user))
    let isOther = state.withLock { state in
      defer { state.user = user }
      return state.user != user
    }
    if isOther { requestKey() }
  }

  /// What rules name has the wall clock's times. On ``disk``.
  private func noteClock(_ now: ReplayMoment) {
    let number = wall.note(now).number
    let record = state.withLock { state -> SessionRecord? in
      let known = state.record.offsets?.last?.milliseconds ?? 0
      let ahead = now.wall.subtracting(saturating: clock.time(at: now))
      guard ahead.subtracting(saturating: known).magnitude > ReplayClock.tolerance,
        state.record.offsets?.count ?? 0 < Self.mostOffsets
      else { return nil }
      state.record.offsets =
        (state.record.offsets ?? []) + [ClockOffset(since: clock.time(at: now), milliseconds: ahead, clock: number)]
      return state.record
    }
    if let record { journal.setSession(record) }
  }

  /// A clock that is set more often is not followed.
  private static let mostOffsets = 100

  /// Writes down how far it has come. Waits for nothing.
  func checkpoint() {
    let now = now()
    let time = clock.time(at: now)
    disk.async { [self] in
      writeWaiting()
      noteClock(now)
      let state = state.withLock { $0 }
      guard state.isOpen else { return }
      let (session, counts) = (state.session, frames.counts)
      journal.append(
        .replayCheckpoint,
        Checkpoint(
          at: time, lastForegroundAt: session.lastForegroundAt, lastBackgroundAt: session.lastBackgroundAt,
          totalBackgroundMs: session.totalBackgroundMs, telemetrySessionIds: state.telemetrySessionIds,
          framesRecorded: counts.recorded, framesDropped: counts.dropped,
          framesLost: Dictionary(counts.lost.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)))
    }
  }

  /// No frames any more, events still.
  func stopFrames() { state.withLock { $0.takesFrames = false } }

  /// Takes nothing more. Returns when what was said until now is written.
  func close() {
    disk.sync {
      let rest = state.withLock { state -> [(event: TimelineEvent, time: Int64)]? in
        guard state.isOpen else { return nil }
        state.isOpen = false
        return state.takeWaiting()
      }
      guard let rest else { return }
      for (event, time) in rest { append(event, at: time) }
      if let gap = frames.takeGap() { append(.gap(gap), at: gap.since) }
    }
  }

  /// Writes down how it ended, after ``close()``: from then on a later launch can conclude it.
  func keep(_ ending: ReplayEnding) {
    disk.sync {
      append(.sessionEnd(ending.reason), at: ending.closeAnchorAt)
      journal.append(.replayEnding, ending)
    }
  }
}
