import AutoMobileSDK
import AutoMobileSupport
import Foundation
import ReplayTesting
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// Does at random to screens what apps and people do to them, and looks for the secret in all that is recorded of it.
@MainActor final class ScreenMonkey {
  /// What is put back of what was wrong once.
  enum Fault: String {
    /// What is shown is what the views say, whatever animations do.
    case ignoresAnimations
    /// What was masked a moment before is not covered.
    case forgets
  }

  struct Findings: CustomStringConvertible {
    var frames = 0
    /// Views with the secret.
    var secrets = 0
    /// Pictures that showed the secret before they were covered: without them, nothing is proved.
    var exposed = 0
    var kinds: Set<SecretKind> = []
    var uncertain = 0
    /// Whether the timeline says so.
    var isTold = false
    /// The numbers of the frames in which the secret is.
    var leaks: [Int] = []
    /// Files of a session in which its text is.
    var files: [String] = []
    var taps = 0
    /// Taps on something in a window.
    var hits = 0
    /// The numbers of the frames after which a tap told the secret's text.
    var tellingTaps: [Int] = []

    var isClean: Bool { leaks.isEmpty && files.isEmpty && tellingTaps.isEmpty }

    var description: String {
      "\(frames) frames, \(secrets) secrets of \(kinds.count) kinds, \(exposed) pictures with one before they were "
        + "covered, \(uncertain) uncertain; found in \(leaks.count) frames, \(files.count) files, "
        + "\(tellingTaps.count) of \(taps) taps, \(hits) on something"
    }
  }

  var findings = Findings()
  var random: SeededGenerator
  let masking: ReplayMasking
  private let kinds: [SecretKind]
  private let source: ExposedScreen
  private let capture: ScreenCapture
  private let timers = NoTimers()
  private let queue = DispatchQueue(label: "frames")
  private let time = ManualTime()
  private let root: URL
  private var session: (recorder: SessionRecorder, directory: SessionDirectory)?
  private let losses = Locked(0)

  var scenes: [UIWindowScene] = []
  /// Where something can be put.
  var boxes: [UIView] = []
  var secrets: [UIView] = []
  var animated: [CALayer] = []
  /// What stands for the keys, in a window of the app's: on a device they are in none.
  var keys: UIView?

  init(seed: UInt64, fault: Fault? = nil) throws {
    LayerPath.ignoresAnimations = fault == .ignoresAnimations
    random = SeededGenerator(seed)
    let choice = seed % 4
    var masking = ReplayMasking(
      maskAllText: choice == 1 || choice == 3, maskAllImages: choice == 2 || choice == 3,
      maskUnknownViews: choice == 3)
    masking.mask(classes: [SecretLabel.self])
    masking.mask(classesNamed: ["NamedCard"])
    self.masking = masking
    kinds = SecretKind.masked(by: masking)
    root = FileManager.default.temporaryDirectory.appendingPathComponent("monkey-\(UUID().uuidString)")
    source = ExposedScreen(
      UIKitScreen(
        screenName: { "Menu" },
        barrier: { body in
          body()
          return SimulatedException.simulateCatch()
        }, memory: MaskMemory(isForgetful: fault == .forgets)))
    let time = time
    capture = ScreenCapture(
      source: source, codec: RawCodec(), timers: timers,
      clock: CaptureClock(now: { time.milliseconds }, uptime: { time.nanoseconds }), queue: queue)
    connectScene()
  }

  func run(frames: Int) throws -> Findings {
    defer { end() }
    try beginSession()
    for number in 1...frames {
      frame()
      // More frames than wait for a collector are not kept.
      if number % 100 == 0 || number == frames { try endSession() }
      if number % 100 == 0, number < frames { try beginSession() }
    }
    return findings
  }

  // MARK: A frame

  private func frame() {
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      SimulatedTurn.simulateBegin()
      for _ in 0..<Int.random(in: 1...4, using: &random) { change() }
      SimulatedTurn.simulateEnd()
    }
    time.advance(2000)
    findings.frames += 1
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      SimulatedTurn.simulateBegin()
      for _ in 0..<Int.random(in: 1...3, using: &random) { change() }
      capture.tick()
      for _ in 0..<Int.random(in: 0...2, using: &random) { change() }
      SimulatedTurn.simulateEnd()
    case 1:
      // The display shows what it was told when the picture became due.
      timers.isHeld = true
      capture.tick()
      SimulatedTurn.simulateBegin()
      for _ in 0..<Int.random(in: 1...3, using: &random) { Bool.random(using: &random) ? removal() : change() }
      timers.fire()
      SimulatedTurn.simulateEnd(isLate: true)
      timers.isHeld = false
    case 2:
      // It shows what came since then.
      timers.isHeld = true
      capture.tick()
      for _ in 0..<Int.random(in: 1...3, using: &random) { change() }
      timers.fire()
      timers.isHeld = false
    default: capture.tick()
    }
    capture.tickHierarchy()
    tap()
    queue.sync {}
  }

  // MARK: Sessions

  private func beginSession() throws {
    let wall = time.milliseconds
    let moment = ReplayMoment(wall: wall, steady: wall)
    let directory = SessionDirectory(id: SessionDirectory.newId(at: wall), in: root)
    try directory.make()
    var options = SessionJournalOptions()
    options.freeDiskFloor = 0
    let journal = try SessionJournal(new: directory, owner: "dev.test", options: options)
    let time = time
    let recorder = SessionRecorder(
      ReplaySession(id: directory.id, start: moment, isTelemetryOnly: false), directory: directory, journal: journal,
      budget: FrameBudget(limit: 1 << 30), now: { ReplayMoment(wall: time.milliseconds, steady: time.milliseconds) },
      onReady: {})
    session = (recorder, directory)
    var settings = CaptureSettings(scale: 4)
    settings.masking = masking
    // As a replay does it that begins: what is recorded of touches goes by the same rules.
    MaskingRules.current = MaskingRules(settings)
    capture.start(settings, sink: recorder)
    capture.updateNow()
  }

  /// Searches what was written.
  private func endSession() throws {
    capture.pause()
    capture.updateNow()
    queue.sync {}
    guard let (recorder, directory) = session else { return }
    capture.stop()
    capture.updateNow()
    recorder.checkpoint()
    recorder.close()
    findings.uncertain += recorder.counts.lost[.uncertain] ?? 0
    findings.exposed += source.takeExposed()
    recorder.journal.close()
    let player = FramePlayer(codec: RawCodec())
    for file in directory.frameFiles() {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path(of: file)))
      for record in try FrameRecord.all(in: bytes) {
        if try player.show(record).showsSecret { findings.leaks.append(file.number) }
      }
    }
    let needle = Data(Secret.text.utf8)
    let files = FileManager.default.enumerator(atPath: directory.url.path)
    while let name = files?.nextObject() as? String {
      let url = directory.url.appendingPathComponent(name)
      guard let bytes = try? Data(contentsOf: url) else { continue }
      if bytes.range(of: needle) != nil { findings.files.append(name) }
      if bytes.range(of: Data(#""reason":"uncertain""#.utf8)) != nil { findings.isTold = true }
    }
    directory.remove()
  }

  private func end() {
    capture.stop()
    capture.updateNow()
    scenes.forEach { UIApplication.shared.simulateDisconnection(of: $0) }
    MaskingRules.current = MaskingRules()
    LayerPath.ignoresAnimations = false
    if keys != nil { SimulatedKeyboard.simulateHide(from: Self.keyboard) }
    try? FileManager.default.removeItem(at: root)
  }

  func secret(_ frame: CGRect) -> UIView {
    let kind = kinds.randomElement(using: &random) ?? .field
    findings.kinds.insert(kind)
    findings.secrets += 1
    return kind.view(frame)
  }
}

/// Counts the pictures that show the secret before they are covered.
@MainActor private final class ExposedScreen: ScreenSource {
  private let screen: UIKitScreen
  private var exposed = 0

  init(_ screen: UIKitScreen) { self.screen = screen }

  func takeExposed() -> Int {
    defer { exposed = 0 }
    return exposed
  }

  var size: CGSize? { screen.size }
  var screenName: String? { screen.screenName }
  var isInTransition: Bool { screen.isInTransition }
  var isMapMoving: Bool { screen.isMapMoving }
  var conditions: CapturePacing.Conditions { screen.conditions }
  func whenDrawn(_ body: @escaping @MainActor @Sendable () -> Void) { screen.whenDrawn(body) }
  func prepare(_ rules: MaskingRules) { screen.prepare(rules) }
  func draw(on picture: Picture, pixelsPerPoint: Double, _ rules: MaskingRules) -> ScreenMask? {
    let mask = screen.draw(on: picture, pixelsPerPoint: pixelsPerPoint, rules)
    if mask != nil, picture.showsSecret { exposed += 1 }
    return mask
  }
  func hierarchy(_ rules: MaskingRules) -> HierarchySnapshot? { screen.hierarchy(rules) }
  func watchKeyboard(_ notice: (@MainActor (_ begins: Bool) -> Void)?) { screen.watchKeyboard(notice) }
  func use(_ rules: MaskingRules) { screen.use(rules) }
}

extension Picture {
  @MainActor fileprivate var showsSecret: Bool {
    var index = 0
    while index < count {
      let pixel = pixels[index]
      // Most are grey, and need no more than this.
      if pixel & 0xFF != pixel >> 8 & 0xFF, Secret.isShown(pixel) { return true }
      index += 1
    }
    return false
  }
}
