#if canImport(UIKit)
import AutoMobileSupport
import AutoMobileReplay
import AutoMobileSDK
import Foundation
import UIKit

/// A replay of screens that follow one another, through the whole path: windows, differences, encoding, files, journal,
/// segments, requests. Its time is a simulation's: an hour takes as long as its work does.
@MainActor package final class SimulatedReplay {
  /// How long a frame is shown, in milliseconds.
  package static let interval: Int64 = 333

  package let recorder: ReplayRecorder
  package let root: URL
  private let clock = ManualClock()
  private let scene = UIWindowScene()
  private let story: [(screen: SyntheticScreen, frames: Int)]
  private let timers = HeldTimers()
  private let queue = DispatchQueue(label: "frames")
  private var number = 0

  /// - Parameters:
  ///   - root: where sessions are kept.
  ///   - codec: what is around the platform's, to be measured or to be slow.
  ///   - observe: what is around those who take what is captured.
  package init(
    _ story: [(screen: SyntheticScreen, frames: Int)], root: URL, base: URL,
    codec: (any PictureCodec)? = PictureCodecs.system,
    observe: @escaping @Sendable (any ReplaySink) -> any ReplaySink = { $0 }
  ) {
    self.story = story
    self.root = root
    UIApplication.shared.simulateConnection(of: scene)
    for (screen, _) in story where screen.window.windowScene == nil {
      screen.window.windowScene = scene
      screen.window.isHidden = true
    }
    let clock = clock
    let capture = ObservedCapture(
      capture: ScreenCapture.live(
        codec: codec, timers: timers,
        clock: CaptureClock(now: { clock.now.wall }, uptime: { UInt64(clamping: clock.now.steady) &* 1_000_000 }),
        queue: queue),
      observe: observe)
    recorder = ReplayRecorder(telemetry: SilentTelemetry(), now: { clock.now }) { key, options in
      let device = DeviceDescription(deviceId: "d", bundleId: "dev.test", platform: "linux", metadata: [:])
      var services = ReplayServices(root: root, owner: "dev.test", base: base, publicKey: key, device: device)
      services.options = options
      services.telemetry = SilentTelemetry()
      services.capture = capture
      services.now = { clock.now }
      services.after = { clock.after($0, $1) }
      services.sleep = { await clock.sleep($0) }
      services.journal.freeDiskFloor = 0
      // Time goes faster than requests do.
      services.conclusionPatience = 86_400_000
      return services
    }
    recorder.configure(publicKey: "public-key", options: ReplayOptions(captureANR: false, autoTrackNetwork: false))
  }

  package func start() async -> ReplayStartResult {
    let result = await recorder.start()
    // The main queue is told of it.
    for _ in 0..<1000 where !timers.isRunning { await Task.yield() }
    return result
  }

  /// The next frame is shown, and recorded; every sixth time the hierarchy is, too.
  package func step() {
    show(number)
    clock.advance(Self.interval)
    timers.pictures?()
    if number % 6 == 0 { timers.hierarchy?() }
    number += 1
  }

  /// Returns when what was taken has been encoded and is on disk.
  package func settle() { queue.sync {} }

  /// Without recording: what drawing the screens needs is there.
  package func rehearse(_ frames: Int, every step: Int = 1) {
    let picture = Picture.make(312, 675)
    for number in stride(from: 0, to: frames, by: max(1, step)) {
      show(number)
      for window in scene.windows where !window.isHidden { picture.draw(window, pixelsPerPoint: 0.8) }
    }
  }

  /// So much time passes in which nothing happens.
  package func pass(_ milliseconds: Int64) { clock.advance(milliseconds) }

  /// Ends the replay, and waits until all of it is uploaded; meanwhile time goes on.
  package func stop() async {
    let recorder = recorder
    let isOver = Locked(false)
    Task {
      _ = await recorder.stop()
      isOver.withLock { $0 = true }
    }
    let deadline = Date(timeIntervalSinceNow: 120)
    while !isOver.withLock({ $0 }), Date() < deadline {
      try? await Task.sleep(nanoseconds: 5_000_000)
      clock.advance(100)
    }
    UIApplication.shared.simulateDisconnection(of: scene)
  }

  /// Frames that are on disk.
  package var waitingFrames: [String] { files.filter { $0.hasSuffix(".amf") } }
  /// Everything that is, without directories.
  package var files: [String] {
    let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.contains(".") }
  }

  private func show(_ number: Int) {
    var rest = number % max(1, story.reduce(0) { $0 + $1.frames })
    for (screen, frames) in story {
      let isShown = rest >= 0 && rest < frames
      if isShown { screen.show(rest) }
      if screen.window.isHidden == isShown { screen.window.isHidden = !isShown }
      rest -= frames
    }
  }
}

/// A capture whose frames and snapshots pass through somebody else's sink.
private struct ObservedCapture: ReplayCapture {
  let capture: any ReplayCapture
  let observe: @Sendable (any ReplaySink) -> any ReplaySink

  func start(_ settings: CaptureSettings, sink: any ReplaySink) { capture.start(settings, sink: observe(sink)) }
  func pause() { capture.pause() }
  func resume() { capture.resume() }
  func requestKeyFrame() { capture.requestKeyFrame() }
  func stop() { capture.stop() }
}

/// Timers that a simulation calls.
@MainActor private final class HeldTimers: CaptureTimers {
  private(set) var pictures: (@MainActor @Sendable () -> Void)?
  private(set) var hierarchy: (@MainActor @Sendable () -> Void)?
  var isRunning: Bool { pictures != nil }

  func run(
    picturesEvery seconds: Double, _ pictures: @escaping @MainActor @Sendable () -> Void,
    hierarchyEvery hierarchySeconds: Double, _ hierarchy: @escaping @MainActor @Sendable () -> Void
  ) {
    self.pictures = pictures
    self.hierarchy = hierarchy
  }

  func runOnce(after seconds: Double, _ body: @escaping @MainActor @Sendable () -> Void) { body() }

  func end() { (pictures, hierarchy) = (nil, nil) }
}

private struct SilentTelemetry: ReplayTelemetry {
  var sessionId: String? { "telemetry" }
  func mark(_ replayId: String?) {}
  func startInterception() {}
  func stopInterception() {}
  func useMasking(_ rules: MaskingRules?) {}
  func startTouches() {}
  func stopTouches() {}
  func observeFreezes(_ observer: @escaping @Sendable (TimelineEvent) -> Void) -> AnyObject? { nil }
  func trackScreen(_ name: String, at time: Int64) {}
  func logEvent(_ name: String, _ properties: [String: MetadataValue]) {}
  func identify(_ userId: String?) {}
}
#endif
