// A program that records a replay until somebody kills it. The tests start it, and recover what it leaves.
//
//     replay-victim DIRECTORY WITNESS moving|still
//
// There is no collector: the configuration is the default one, and the credential is made up. After each frame whose call
// returned, the file WITNESS holds how many there were, the time, and for how long it has been recording.

import AutoMobileReplay
import AutoMobileSDK
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
  print("usage: replay-victim DIRECTORY WITNESS moving|still")
  exit(64)
}
let witness = open(arguments[2], O_WRONLY)
guard witness >= 0 else { exit(66) }
let isMoving = arguments[3] == "moving"
let parent = getppid()

/// Nobody answers.
final class NoTransport: HTTPTransport {
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
  let isKey = number % 10 == 0
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
  bytes.append(Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(number)) }))
  return ReplayFrame(timestamp: now, isKey: isKey, bytes: bytes)
}

let camera = Camera()
let recorder = ReplayRecorder(telemetry: SdkTelemetry()) { key, options in
  guard let base = URL(string: "http://127.0.0.1:1") else { return nil }
  let device = DeviceDescription(deviceId: "victim", bundleId: "dev.test", platform: "linux", metadata: [:])
  var services = ReplayServices(
    root: URL(fileURLWithPath: arguments[1]), owner: "dev.test", base: base, publicKey: key, device: device)
  services.transport = NoTransport()
  services.credentials = credentials
  services.capture = camera
  services.journal.freeDiskFloor = 0
  services.telemetry = SdkTelemetry()
  credentials.write(
    DeviceCredential(
      token: "made-up", issuedAt: Clocks.millisecondsSince1970(), expiresInMs: 3_600_000,
      audience: DeviceCredential.audience(base: base, publicKey: key, device: device)))
  return services
}
recorder.configure(publicKey: "victim", options: ReplayOptions(captureANR: false, autoTrackNetwork: false))
let result = await recorder.start()
guard result.success else {
  print("not started: \(result.error ?? "")")
  exit(70)
}

let begun = Clocks.continuousMilliseconds()
var count: UInt64 = 0
// Nobody is left to kill this program when its test has been killed.
while getppid() == parent {
  if isMoving, let sink = camera.sink.withLock({ $0 }) {
    sink.accept(frame(count))
    count += 1
  }
  let numbers = [
    count, UInt64(Clocks.millisecondsSince1970()), UInt64(Clocks.continuousMilliseconds() - begun),
  ]
  guard numbers.withUnsafeBytes({ pwrite(witness, $0.baseAddress, 24, 0) }) == 24 else { exit(74) }
  usleep(3000)
}
