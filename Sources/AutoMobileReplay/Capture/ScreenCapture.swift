import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// Capture of the screen: reads it on the main thread, at the pace that ``CapturePacing`` allows, and encodes what
/// changed on a queue of its own.
package final class ScreenCapture: ReplayCapture {
  private let control = CaptureControl()
  private let loop: CaptureLoop

  init(
    source: any ScreenSource, codec: (any PictureCodec)?, timers: any CaptureTimers, clock: CaptureClock,
    queue: DispatchQueue = newQueue()
  ) {
    let encoding = FrameEncoding(codec: codec, control: control, queue: queue)
    loop = CaptureLoop(source, control: control, encoding: encoding, timers: timers, clock: clock)
  }

  /// The one that pictures are encoded on.
  package static func newQueue() -> DispatchQueue {
    DispatchQueue(label: "dev.jasonpearson.automobile.replay.frames", qos: .utility)
  }

  package func start(_ settings: CaptureSettings, sink: any ReplaySink) {
    control.begin(settings, sink)
    update()
  }

  package func pause() {
    control.setPaused(true)
    update()
  }

  package func resume() {
    control.setPaused(false)
    update()
  }

  package func requestKeyFrame() { control.session?.needKeyFrame() }

  package func stop() {
    control.end()
    update()
  }

  private func update() {
    DispatchQueue.main.async { [loop] in MainActor.assumeIsolated { loop.update() } }
  }

  /// For tests: what timers would call.
  @MainActor func tick() { loop.tick() }
  @MainActor func tickHierarchy() { loop.tickHierarchy() }
  @MainActor func updateNow() { loop.update() }
}

/// The times that capture needs.
package struct CaptureClock: Sendable {
  /// Milliseconds since 1970.
  var now: @Sendable () -> Int64
  /// Nanoseconds of a clock that does not jump.
  var uptime: @Sendable () -> UInt64

  package init(now: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> UInt64) {
    self.now = now
    self.uptime = uptime
  }

  package static let system = CaptureClock(
    now: Clocks.millisecondsSince1970, uptime: { DispatchTime.now().uptimeNanoseconds })
}

/// Timers on the main thread.
@MainActor package protocol CaptureTimers: AnyObject, Sendable {
  /// Calls `pictures` and `hierarchy` at intervals, the latter not while somebody scrolls. Replaces what was there.
  func run(
    picturesEvery seconds: Double, _ pictures: @escaping @MainActor @Sendable () -> Void,
    hierarchyEvery hierarchySeconds: Double, _ hierarchy: @escaping @MainActor @Sendable () -> Void)
  /// Calls `body` once, unless it ends before; replaces the one that waits.
  func runOnce(after seconds: Double, _ body: @escaping @MainActor @Sendable () -> Void)
  func end()
}
