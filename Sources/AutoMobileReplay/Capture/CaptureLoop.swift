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
  /// For the end of the turn.
  private var isWaiting = false

  /// A timer that is later than this was held up by the main thread.
  private static let lateness: UInt64 = 100_000_000
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
    source.whenDrawn { [weak self] in
      self?.isWaiting = false
      self?.take()
    }
  }

  private func take() {
    followScreen()
    guard let session = control.active, session === self.session, session.settings.mode == .pictures,
      encoding.canEncode
    else { return }
    let start = clock.uptime()
    var conditions = source.conditions
    if isLate(start) { conditions.slowFrames += 1 }
    guard pacing.isDue(at: start, conditions) else { return }
    if source.isMapMoving { guards.mapMoves(at: start) }
    let mayRead = guards.allowsPixels(at: start, isInTransition: source.isInTransition)
    if guards.isHeldUp(at: start, !mayRead) { noteUncertain(session, from: start) }
    guard mayRead, let size = source.size else { return }
    let pixelsPerPoint = 1 / session.settings.pointsPerPixel
    let width = Int(saturating: (Double(size.width) * pixelsPerPoint).rounded())
    let height = Int(saturating: (Double(size.height) * pixelsPerPoint).rounded())
    guard Picture.isValid(width: width, height: height) else { return }
    guard let picture = encoding.picture(width: width, height: height) else {
      session.noteLoss(.slow, at: clock.now())
      pacing.took(from: start, to: clock.uptime())
      return
    }
    let mask = source.draw(on: picture, pixelsPerPoint: pixelsPerPoint, MaskingRules(session.settings))
    guard let mask, !mask.isUncertain else {
      encoding.giveBack(picture)
      return noteUncertain(session, from: start)
    }
    pacing.took(from: start, to: clock.uptime())
    encoding.encode(picture, mask, at: clock.now(), for: session)
  }

  private func noteUncertain(_ session: CaptureSession, from start: UInt64) {
    pacing.took(from: start, to: clock.uptime())
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
