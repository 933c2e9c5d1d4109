// A program that records a replay until somebody kills it. The tests start it, and recover what it leaves.
//
//     replay-victim DIRECTORY WITNESS moving|slow|long|large|still|kept [COLLECTOR KEY]
//
// Without COLLECTOR there is none: the configuration is the default one, and the credential is made up. After each frame whose
// call returned, the file WITNESS holds how many there were, the time, for how long it has been recording, and whether it
// still is. `moving` takes 300 frames a second, `slow` 25, `long` as well, with one key frame only; all three wait while nearly as
// many frames lie there as may, so that none is dropped however slowly they are uploaded. `kept`: as `slow`, and nothing is sent
// that nobody names. `large`: ten frames of each thirty do not get smaller by compression.
// On SIGTERM it ends the recording, as an app does, and waits to be killed.

import AutoMobileReplay
import AutoMobileSDK
import AutoMobileSupport
import Foundation

let arguments = CommandLine.arguments
guard [4, 6].contains(arguments.count) else {
  print("usage: replay-victim DIRECTORY WITNESS moving|slow|long|large|still|kept [COLLECTOR KEY]")
  exit(64)
}
let witness = open(arguments[2], O_WRONLY)
guard witness >= 0 else { exit(66) }
let isMoving = arguments[3] != "still"
let isLarge = arguments[3] == "large"
let pause: UInt32 = ["slow", "long", "kept"].contains(arguments[3]) ? 40_000 : 3000
let keyInterval: UInt64 = arguments[3] == "long" ? 1_000_000 : 10
let waitsForRoom = ["moving", "slow", "long"].contains(arguments[3])
let collector = arguments.count == 6 ? URL(string: arguments[4]) : nil
let parent = getppid()

/// Nobody answers.
final class NoTransport: RequestTransport {
  func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void) {
    completion(.failed("there is no collector"))
  }
  func cancelAll() {}
}

/// Valid for whoever asks.
let credentials = MemoryCredentialStore()

final class Camera: ReplayCapture {
  let sink = Locked<(any ReplaySink)?>(nil)
  func start(_ settings: CaptureSettings, sink: any ReplaySink) { self.sink.withLock { $0 = sink } }
  func pause() {}
  func resume() {}
  func requestKeyFrame() {}
  func stop() { sink.withLock { $0 = nil } }
}

func frame(_ number: UInt64) -> ReplayFrame {
  let isKey = number % keyInterval == 0
  let now = Clocks.millisecondsSince1970()
  let size = 200 + Int(number * 997 % 4_000)
  var bytes = Data("AMF1".utf8)
  func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
  append(UInt32(28 + size))
  append(now)
  append(UInt8(isKey ? 1 : 0))
  append(UInt8(4))
  for value in [390, 844, 256, 0, 0, 0, 0] as [UInt16] { append(value) }
  append(UInt32(size))
  let isRandom = isLarge && number / 10 % 3 == 2
  bytes.append(
    Data((0..<size).map { isRandom ? .random(in: 0...255) : UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(number)) }))
  return ReplayFrame(timestamp: now, isKey: isKey, bytes: bytes)
}

let camera = Camera()
let recorder = ReplayRecorder(telemetry: SdkTelemetry()) { key, options in
  guard let base = collector ?? URL(string: "http://127.0.0.1:1") else { return nil }
  let device = DeviceDescription(deviceId: "victim", bundleId: "dev.test", platform: "linux", metadata: [:])
  var services = ReplayServices(
    root: URL(fileURLWithPath: arguments[1]), owner: "dev.test", base: base, publicKey: key, device: device)
  if collector == nil { services.transport = NoTransport() }
  services.credentials = credentials
  services.capture = camera
  services.journal.freeDiskFloor = 0
  services.telemetry = SdkTelemetry()
  if arguments[3] == "kept" {
    services.launch = "victim"
    services.stretches = ReplayStretches(url: nil, holding: .named(keepDays: 7))
  }
  guard collector == nil else { return services }
  credentials.write(
    DeviceCredential(
      token: "made-up", issuedAt: Clocks.millisecondsSince1970(), expiresInMs: 3_600_000,
      audience: DeviceCredential.audience(base: base, publicKey: key, device: device)))
  return services
}
recorder.configure(
  publicKey: collector == nil ? "victim" : arguments[5],
  options: ReplayOptions(captureANR: false, autoTrackNetwork: false))
let result = await recorder.start()
guard result.success else {
  print("not started: \(result.error ?? "")")
  exit(70)
}

/// Of the 500 frames that may wait, some are left: what is being uploaded is not removed yet.
func hasRoom() -> Bool {
  guard waitsForRoom, let session = recorder.sessionId else { return true }
  let frames = (try? FileManager.default.contentsOfDirectory(atPath: "\(arguments[1])/\(session)/frames")) ?? []
  return frames.count < 400
}

signal(SIGTERM, SIG_IGN)
let isAsked = Locked(false)
let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
termination.setEventHandler { isAsked.withLock { $0 = true } }
termination.resume()

let begun = Clocks.continuousMilliseconds()
var count: UInt64 = 0
// Nobody is left to kill this program when its test has been killed.
while getppid() == parent {
  if isAsked.withLock({ $0 }) {
    _ = await recorder.stop()
    while getppid() == parent { usleep(20_000) }
  }
  if isMoving, hasRoom(), let sink = camera.sink.withLock({ $0 }) {
    sink.accept(frame(count))
    count += 1
  }
  let numbers = [
    count, UInt64(Clocks.millisecondsSince1970()), UInt64(Clocks.continuousMilliseconds() - begun),
    recorder.sessionId == nil ? 0 : 1,
  ]
  guard numbers.withUnsafeBytes({ pwrite(witness, $0.baseAddress, 32, 0) }) == 32 else { exit(74) }
  usleep(pause)
}
