import AutoMobileSDK
import Foundation
import ReplayTesting
import UIKit

@testable import AutoMobileReplay

/// A window that is recorded frame by frame, and what was recorded.
@MainActor final class RecordedScreen {
  let window: UIWindow
  let scene = UIWindowScene()
  let source: UIKitScreen
  private let capture: ScreenCapture
  private let timers = NoTimers()
  private let sink = RecordedReplay()
  private let queue = DispatchQueue(label: "frames")
  let time = ManualTime()

  /// - Parameter barrier: around what may throw.
  init(
    _ settings: CaptureSettings = CaptureSettings(), codec: any PictureCodec = RawCodec(),
    barrier: @escaping UIKitScreen.Barrier = { body in
      body()
      return false
    },
    uptime: @escaping @MainActor () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
  ) {
    UIApplication.shared.simulateConnection(of: scene)
    window = UIWindow(windowScene: scene)
    window.backgroundColor = .white
    let time = time
    source = UIKitScreen(screenName: { "Menu" }, barrier: barrier, uptime: uptime)
    capture = ScreenCapture(
      source: source, codec: codec, timers: timers,
      clock: CaptureClock(now: { time.milliseconds }, uptime: { time.nanoseconds }), queue: queue)
    // As whoever begins a replay does.
    MaskingRules.current = MaskingRules(settings)
    capture.start(settings, sink: sink)
    capture.updateNow()
  }

  /// The scene goes, so that the next test has the screen for itself.
  func end() {
    capture.stop()
    capture.updateNow()
    UIApplication.shared.simulateDisconnection(of: scene)
    MaskingRules.current = MaskingRules()
  }

  /// Views that nothing else keeps.
  private var kept: [UIView] = []
  func keep(_ view: UIView) { kept.append(view) }

  /// How many pixels of what is drawn now show the secret, before anything is covered.
  func drawnPixels(_ rules: MaskingRules) -> Int {
    let picture = Picture.make(312, 675)
    _ = source.draw(on: picture, pixelsPerPoint: 0.8, rules)
    return picture.count(where: Secret.isShown)
  }

  var frames: [ReplayFrame] { sink.frames }
  var lines: [String] { sink.lines }
  var dropped: Int { sink.droppedFrames }
  var losses: [CaptureLoss] { sink.losses }

  /// The next picture and the next snapshot.
  func record(after milliseconds: Int64 = 2000) {
    time.advance(milliseconds)
    capture.tick()
    capture.tickHierarchy()
    queue.sync {}
  }

  /// A picture is due in a turn of the run loop in which `changes` are made.
  ///
  /// - Parameters:
  ///   - isLate: it was due before that turn, and the display does not show them yet when it is over.
  ///   - earlier: what is changed, and seen, between the one and the other.
  func record(isLate: Bool = false, after earlier: () -> Void = {}, in changes: () -> Void) {
    time.advance(2000)
    timers.isHeld = isLate
    if isLate { capture.tick() }
    earlier()
    SimulatedTurn.simulateBegin()
    changes()
    if isLate { timers.fire() } else { capture.tick() }
    SimulatedTurn.simulateEnd(isLate: isLate)
    timers.isHeld = false
    capture.tickHierarchy()
    queue.sync {}
  }

  func settle() { queue.sync {} }
  func pause() { capture.pause(); capture.updateNow() }
  func resume() { capture.resume(); capture.updateNow() }
  func requestKeyFrame() { capture.requestKeyFrame() }

  /// All pictures, as a player shows them.
  func pictures() throws -> [Picture] {
    let player = FramePlayer(codec: RawCodec())
    return try sink.frames.flatMap { try FrameRecord.all(in: $0.bytes) }.map { try player.show($0).duplicate }
  }

  /// How many pixels of all pictures show the secret.
  func secretPixels() throws -> Int {
    try pictures().reduce(0) { $0 + $1.count(where: Secret.isShown) }
  }

  /// Pixels of the last picture that are covered.
  func maskedPixels() throws -> Int {
    guard let picture = try pictures().last else { return 0 }
    return picture.count { $0 == ScreenMask.colour }
  }

  /// Whether the secret's text is anywhere in what was handed to storage.
  var textIsRecorded: Bool {
    let needle = Data(Secret.text.utf8)
    return sink.lines.contains { $0.contains(Secret.text) }
      || sink.frames.contains { $0.bytes.range(of: needle) != nil }
  }
}

extension Picture {
  /// How many pixels are so. Without optimisation a range's closures take most of a second for a screen.
  func count(where isSo: (UInt32) -> Bool) -> Int {
    var found = 0
    var place = 0
    while place < count {
      if isSo(pixels[place]) { found += 1 }
      place += 1
    }
    return found
  }
}

/// Time that a test moves.
final class ManualTime: @unchecked Sendable {
  // Unchecked: behind its lock.
  private let lock = NSLock()
  private var now: Int64 = 1_000_000
  var milliseconds: Int64 { lock.withLock { now } }
  var nanoseconds: UInt64 { UInt64(milliseconds) * 1_000_000 }
  func advance(_ by: Int64) { lock.withLock { now += by } }
}

@MainActor final class NoTimers: CaptureTimers {
  private(set) var isRunning = false
  /// What is to come later waits until it is told to.
  var isHeld = false
  private var waiting: (@MainActor @Sendable () -> Void)?
  nonisolated init() {}
  func run(
    picturesEvery seconds: Double, _ pictures: @escaping @MainActor @Sendable () -> Void,
    hierarchyEvery hierarchySeconds: Double, _ hierarchy: @escaping @MainActor @Sendable () -> Void
  ) { isRunning = true }
  func runOnce(after seconds: Double, _ body: @escaping @MainActor @Sendable () -> Void) {
    if isHeld { waiting = body } else { body() }
  }
  func fire() {
    let body = waiting
    waiting = nil
    body?()
  }
  func end() { (isRunning, waiting) = (false, nil) }
}
