import AutoMobileInterface
import AutoMobileJournal
import Foundation

/// What capture does on the main thread: decides whether now is a moment for a picture, has it drawn, and hands it to
/// the queue.
@MainActor final class CaptureLoop {
  private let source: any ScreenSource
  private let control: CaptureControl
  private let encoding: FrameEncoding
  private let timers: any CaptureTimers
  private let clock: CaptureClock
  private var session: CaptureSession?
  private var pacing = CapturePacing(framesPerSecond: 3)
  private var guards = CaptureGuards()
  private var lastTick: UInt64?
  /// Of the last wireframe.
  private var wireframe: (screen: String?, time: UInt64)?
  /// For the end of the turn, or for the display.
  private var isWaiting = false
  /// Whoever waited for an earlier one is too late.
  private var turn: UInt64 = 0

  /// A timer that is later than this was held up by the main thread.
  private static let lateness: UInt64 = 100_000_000
  /// What is drawn may be what the display showed up to two of its frames ago, in seconds.
  static let displayLag = 0.034
  /// The screen is looked at so seldom, however often it changes.
  private static let betweenWireframes: UInt64 = 500_000_000
  /// So many are told without waiting for a frame that tells them.
  private static let tellingLosses = 30

  nonisolated init(
    _ source: any ScreenSource, control: CaptureControl, encoding: FrameEncoding, timers: any CaptureTimers,
    clock: CaptureClock
  ) {
    self.source = source
    self.control = control
    self.encoding = encoding
    self.timers = timers
    self.clock = clock
  }

  /// Begins, ends or goes on, as the control says now.
  func update() {
    isWaiting = false
    turn &+= 1
    guard let active = control.active else {
      timers.end()
      source.watchKeyboard(nil)
      lastTick = nil
      if let session { encoding.tellLosses(of: session) }
      if control.session == nil { session = nil }
      return
    }
    if active !== session {
      session = active
      wireframe = nil
      pacing = CapturePacing(framesPerSecond: active.settings.framesPerSecond)
      source.use(MaskingRules(active.settings))
    }
    guards = CaptureGuards()
    source.watchKeyboard { [weak self] begins in
      guard let self else { return }
      let now = clock.uptime()
      begins ? guards.keyboardBegins(at: now) : guards.keyboardEnded(at: now)
    }
    timers.run(
      picturesEvery: Double(pacing.interval(.init()) ?? 333_000_000) / 1_000_000_000, { [weak self] in self?.tick() },
      hierarchyEvery: Double(HierarchyRecorder.intervalMs) / 1000, { [weak self] in self?.tickHierarchy() })
  }

  func tick() {
    guard !isWaiting else { return }
    isWaiting = true
    turn &+= 1
    let turn = turn
    source.whenDrawn { [weak self] in
      guard let self, turn == self.turn else { return }
      if !begin() { isWaiting = false }
    }
  }

  /// Notes what is masked, and takes the picture when the display has had the time to show that.
  ///
  /// - Returns: whether one will be taken.
  private func begin() -> Bool {
    followScreen()
    guard let session = recorded else { return false }
    let start = clock.uptime()
    var conditions = source.conditions
    if isLate(start) { conditions.slowFrames += 1 }
    guard pacing.isDue(at: start, conditions), mayRead(session, at: start), source.size != nil else { return false }
    source.prepare(MaskingRules(session.settings))
    let spent = clock.uptime().subtracting(saturating: start)
    let turn = turn
    timers.runOnce(after: Self.displayLag) { [weak self] in
      self?.source.whenDrawn { [weak self] in
        guard let self, turn == self.turn else { return }
        isWaiting = false
        take(session, since: start, spent)
      }
    }
    return true
  }

  /// What is recorded as pictures now.
  private var recorded: CaptureSession? {
    guard let session = control.active, session === self.session, session.settings.mode == .pictures,
      encoding.canEncode
    else { return nil }
    return session
  }

  private func mayRead(_ session: CaptureSession, at now: UInt64) -> Bool {
    if source.isMapMoving { guards.mapMoves(at: now) }
    let mayRead = guards.allowsPixels(at: now, isInTransition: source.isInTransition)
    if guards.isHeldUp(at: now, !mayRead) { noteUncertain(session, from: now, spending: 0) }
    return mayRead
  }

  /// - Parameters:
  ///   - start: when it was due.
  ///   - prepared: what it has cost the main thread until now.
  private func take(_ session: CaptureSession, since start: UInt64, _ prepared: UInt64) {
    let begin = clock.uptime()
    func spent() -> UInt64 { clock.uptime().subtracting(saturating: begin).adding(saturating: prepared) }
    guard recorded === session, mayRead(session, at: begin), let size = source.size else { return }
    let pixelsPerPoint = 1 / session.settings.pointsPerPixel
    let width = Int(saturating: (Double(size.width) * pixelsPerPoint).rounded())
    let height = Int(saturating: (Double(size.height) * pixelsPerPoint).rounded())
    guard Picture.isValid(width: width, height: height) else { return }
    guard let picture = encoding.picture(width: width, height: height) else {
      session.noteLoss(.slow, at: clock.now())
      pacing.took(from: start, spending: spent())
      return
    }
    let mask = source.draw(on: picture, pixelsPerPoint: pixelsPerPoint, MaskingRules(session.settings))
    guard let mask, !mask.isUncertain else {
      encoding.giveBack(picture)
      return noteUncertain(session, from: start, spending: spent())
    }
    pacing.took(from: start, spending: spent())
    encoding.encode(picture, mask, at: clock.now(), for: session)
  }

  private func noteUncertain(_ session: CaptureSession, from start: UInt64, spending spent: UInt64) {
    pacing.took(from: start, spending: spent)
    session.noteLoss(.uncertain, at: clock.now())
    // There may be no next frame to say so.
    if session.lostFrames >= Self.tellingLosses { encoding.tellLosses(of: session) }
  }

  /// A wireframe tells what taps were on: of another screen there is one as soon as that stands still.
  private func followScreen() {
    if let wireframe {
      guard source.screenName != wireframe.screen,
        clock.uptime().subtracting(saturating: wireframe.time) >= Self.betweenWireframes
      else { return }
    }
    guard control.active != nil, !source.isInTransition else { return }
    tickHierarchy()
  }

  func tickHierarchy() {
    guard let session = control.active, session === self.session else { return }
    let now = clock.uptime()
    if source.isMapMoving { guards.mapMoves(at: now) }
    guard guards.allowsHierarchy(at: now), source.conditions.heat < .critical,
      let snapshot = source.hierarchy(MaskingRules(session.settings))
    else { return }
    wireframe = (source.screenName, now)
    encoding.record(snapshot, at: clock.now(), for: session)
  }

  private func isLate(_ now: UInt64) -> Bool {
    defer { lastTick = now }
    guard let lastTick, now >= lastTick, let interval = pacing.interval(.init()) else { return false }
    // A timer skips what it missed.
    let expected = interval.adding(saturating: Self.lateness)
    return now &- lastTick > expected && now &- lastTick < interval.multiplied(saturating: 8)
  }
}
