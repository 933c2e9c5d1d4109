import AutoMobileSDK
import AutoMobileSupport
import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// A directory that is gone after the test.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Every file in it, with its content.
  var files: [(path: String, content: Data)] {
    let paths = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return paths.compactMap { path in
      FileManager.default.contents(atPath: url.appendingPathComponent(path).path).map { (path, $0) }
    }
  }
}

/// Waits until something holds, for as long as a busy machine may take.
func eventually(_ what: String = "", _ holds: () async -> Bool) async -> Bool {
  let deadline = Date() + 90
  while Date() < deadline {
    if await holds() { return true }
    try? await Task.sleep(nanoseconds: 5_000_000)
  }
  return await holds()
}

/// What there is when nothing has changed for a second: what was on its way has arrived.
func settled<Value: Equatable>(_ look: () -> Value) async -> Value {
  var last = look()
  var since = Date()
  while Date().timeIntervalSince(since) < 1 {
    try? await Task.sleep(nanoseconds: 20_000_000)
    let value = look()
    if value != last { (last, since) = (value, Date()) }
  }
  return last
}

/// A frame record with some content, as the interface has it.
func frame(_ timestamp: Int64, isKey: Bool = true, size: Int = 100, fill: UInt8 = 7) -> ReplayFrame {
  var bytes = Data("AMF1".utf8)
  func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
  append(UInt32(28 + size))
  append(timestamp)
  append(UInt8(isKey ? 1 : 0))
  append(UInt8(4))
  append(UInt16(390))
  append(UInt16(844))
  append(UInt16(256))
  append(UInt16(0))
  append(UInt16(0))
  append(UInt16(0))
  append(UInt16(0))
  append(UInt32(size))
  bytes.append(Data(repeating: fill, count: size))
  return ReplayFrame(timestamp: timestamp, isKey: isKey, bytes: bytes)
}

/// The records in a segment of frames: each time, and whether it is a key frame. Nil when one is not whole.
func frames(in content: Data) -> [(timestamp: Int64, isKey: Bool, hasGap: Bool, dropped: Int)]? {
  let bytes = [UInt8](content)
  var all: [(Int64, Bool, Bool, Int)] = []
  var offset = 0
  func number(_ from: Int, _ count: Int) -> Int64 {
    (0..<count).reversed().reduce(Int64(0)) { $0 << 8 | Int64(bytes[from + $1]) }
  }
  while offset < bytes.count {
    guard offset + 26 <= bytes.count, Array(bytes[offset..<offset + 4]) == Array("AMF1".utf8) else { return nil }
    let end = offset + 8 + Int(number(offset + 4, 4))
    guard end <= bytes.count else { return nil }
    let flags = bytes[offset + 16]
    all.append((number(offset + 8, 8), flags & 1 != 0, flags & 2 != 0, Int(number(offset + 24, 2))))
    offset = end
  }
  return all
}

/// Capture without a screen: the test says when there is a frame.
final class FakeCapture: ReplayCapture {
  struct State {
    var sink: (any ReplaySink)?
    var isPaused = false
    var settings: CaptureSettings?
    var sinks: [any ReplaySink] = []
    var keyRequests = 0
  }
  let state = Locked(State())

  func start(_ settings: CaptureSettings, sink: any ReplaySink) {
    state.withLock {
      $0.settings = settings
      $0.sink = sink
      $0.sinks.append(sink)
      $0.isPaused = false
    }
  }
  func requestKeyFrame() { state.withLock { $0.keyRequests += 1 } }
  func pause() { state.withLock { $0.isPaused = true } }
  func resume() { state.withLock { $0.isPaused = false } }
  func stop() { state.withLock { $0.sink = nil } }

  var isRunning: Bool { state.withLock { $0.sink != nil && !$0.isPaused } }
  /// Also to those that have been stopped: as encoding that comes too late.
  func deliver(_ frame: ReplayFrame) { state.withLock { $0.sinks }.forEach { $0.accept(frame) } }
}

/// Telemetry as the SDK's: what it is told, it tells listeners of the app's, and these call the recorder again, on the same thread
/// and on another one that they wait for. Whoever calls it while holding a lock never comes back.
final class FakeTelemetry: ReplayTelemetry {
  struct State {
    var marks: [String?] = []
    var intercepts = 0
    var touches = 0
    /// By which rules touches were to be recorded, and in which of them they began to be.
    var masking: [MaskingRules?] = []
    var touchesBegan: [MaskingRules?] = []
    var screens: [String] = []
    var events: [String] = []
    var users: [String?] = []
    var freezes: (@Sendable (TimelineEvent) -> Void)?
    /// What listeners said.
    var echoes = 0
  }
  let state = Locked(State())
  private let listener = Locked<(@Sendable () -> Void)?>(nil)
  /// What listeners say: it is heard as well, and would have them called for ever.
  static let echo = "a listener's"

  /// What the app's listeners do.
  func listen(_ listener: @escaping @Sendable () -> Void) { self.listener.withLock { $0 = listener } }

  private func hear(_ text: String? = nil, _ change: @Sendable (inout State) -> Void) {
    guard text != Self.echo else { return state.withLock { $0.echoes += 1 } }
    state.withLock { change(&$0) }
    guard let listener = listener.withLock({ $0 }) else { return }
    listener()
    let isOver = DispatchSemaphore(value: 0)
    let other = Thread {
      listener()
      isOver.signal()
    }
    other.start()
    isOver.wait()
  }

  var sessionId: String? { "telemetry-1" }
  func mark(_ replayId: String?) { hear { $0.marks.append(replayId) } }
  func startInterception() { hear { $0.intercepts += 1 } }
  func stopInterception() { hear { $0.intercepts = 0 } }
  func useMasking(_ rules: MaskingRules?) { hear { $0.masking.append(rules) } }
  func startTouches() {
    hear {
      $0.touches += 1
      $0.touchesBegan.append($0.masking.last ?? nil)
    }
  }
  func stopTouches() { hear { $0.touches = 0 } }
  func observeFreezes(_ observer: @escaping @Sendable (TimelineEvent) -> Void) -> AnyObject? {
    hear { $0.freezes = observer }
    return NSObject()
  }
  func trackScreen(_ name: String, at time: Int64) { hear(name) { $0.screens.append(name) } }
  func logEvent(_ name: String, _ properties: [String: MetadataValue]) { hear(name) { $0.events.append(name) } }
  func identify(_ userId: String?) { hear(userId) { $0.users.append(userId) } }
}

/// A recorder with everything that it needs, and a collector.
struct Studio {
  let directory: TemporaryDirectory
  let server: ReplayServer
  let capture = FakeCapture()
  let telemetry = FakeTelemetry()
  let clock = ManualClock()
  let credentials = MemoryCredentialStore()
  let recorder: ReplayRecorder

  init(
    _ server: ReplayServer, in directory: TemporaryDirectory, options: ReplayOptions = ReplayOptions(),
    change: @escaping @Sendable (inout ReplayServices) -> Void = { _ in }
  ) {
    self.server = server
    self.directory = directory
    let (capture, telemetry, clock, credentials) = (capture, telemetry, clock, credentials)
    let (url, root) = (server.url, directory.url.appendingPathComponent("replay"))
    recorder = ReplayRecorder(telemetry: telemetry, now: { clock.now }) { key, options in
      var services = ReplayServices.forTests(root: root, base: url, clock: clock, publicKey: key)
      services.options = options
      services.capture = capture
      services.telemetry = telemetry
      services.credentials = credentials
      change(&services)
      return services
    }
    telemetry.listen { [weak recorder] in
      _ = recorder?.sessionId
      recorder?.trackScreen(FakeTelemetry.echo)
      recorder?.logEvent(FakeTelemetry.echo, [:])
      recorder?.identify(FakeTelemetry.echo)
    }
    recorder.configure(publicKey: "public-key-0815", options: options)
  }

  var root: URL { directory.url.appendingPathComponent("replay") }

  /// Waits until uploads leave alone a collector that refuses to presign. A clock that is set further before that would have them
  /// wait from there on.
  ///
  /// One round of tries ends short of that. Frames that came while it lasted may have asked for no more than that round, so that
  /// the next one is asked for by a checkpoint.
  func findsThatCollectorIsAway() async -> Bool {
    let isRefused = await eventually { server.steps.filter { $0 == .presign }.count >= SegmentUpload.tries }
    clock.advance(Checkpoint.intervalMs)
    let isAway = await eventually { await recorder.controller.isCollectorAway }
    return isRefused && isAway
  }
}

extension ReplayServices {
  static func forTests(
    root: URL, base: URL, clock: ManualClock = ManualClock(), publicKey: String = "public-key-0815"
  ) -> ReplayServices {
    let device = DeviceDescription(deviceId: "d1", bundleId: "dev.test", platform: "linux", metadata: ["os": "Linux"])
    var services = ReplayServices(root: root, owner: "dev.test", base: base, publicKey: publicKey, device: device)
    services.now = { clock.now }
    services.after = { clock.after($0, $1) }
    services.sleep = { _ in }
    services.draw = 50
    services.journal.freeDiskFloor = 0
    return services
  }
}

/// What uploads to a server, without waiting between tries: the clock goes on instead.
func segmentUpload(to url: URL, waits: Locked<[Int64]> = Locked([]), token: String = "t") -> SegmentUpload {
  let transport = URLSessionTransport()
  let device = DeviceDescription(deviceId: "d1", bundleId: "dev.test", platform: "linux", metadata: [:])
  let source = CredentialSource(
    base: url, publicKey: "k", device: device, store: MemoryCredentialStore(), transport: transport)
  let passed = Locked<Int64>(0)
  let breaker = CircuitBreaker { passed.withLock { $0 } }
  let ingest = Ingest(base: url, transport: transport, credentials: source, breaker: breaker)
  return SegmentUpload(ingest: ingest, telemetrySessionIds: { ["telemetry-1"] }, sdkVersion: "0") { wait in
    waits.withLock { $0.append(wait) }
    passed.withLock { $0 += wait }
  }
}
