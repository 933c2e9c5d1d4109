// A program that does what its arguments say, one after the other, as an app would: for tests that look at it from outside.
//
//     scripted-app DIRECTORY ENDPOINT STORE ACT …
//
// DIRECTORY is where it records, ENDPOINT where it delivers to, STORE a file for what apps keep in their user defaults, or `-`.
// After each act it prints the act. What it does not know ends it.

import AutoMobileNetworkLog
import AutoMobileSDK
import AutoMobileSupport
import Foundation

@testable import AutoMobileCrashReporting
@testable import AutoMobileNetworkLogger
@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

guard CommandLine.arguments.count > 4 else {
  FileHandle.standardError.write(Data("usage: scripted-app DIRECTORY ENDPOINT STORE ACT …\n".utf8))
  exit(64)
}
let directory = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let endpoint = URL(string: CommandLine.arguments[2])
let storePath = CommandLine.arguments[3]

/// As user defaults: in a file, written at once.
final class FileStore: KeyValueStore {
  private let file: URL
  private let lock = Locked(())
  init(_ path: String) { file = URL(fileURLWithPath: path) }
  private var all: [String: String] {
    (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
  }
  func string(_ key: String) -> String? { lock.withLock { _ in all[key] } }
  func set(_ key: String, _ value: String?) {
    lock.withLock { _ in
      var all = all
      all[key] = value
      try? JSONEncoder().encode(all).write(to: file, options: .atomic)
    }
  }
}

let sdk: AutoMobileSDK
if storePath == "-" {
  sdk = .shared
} else {
  sdk = AutoMobileSDK {
    var environment = SdkEnvironment.live()
    environment.appVersion = "1.0"
    environment.makeStore = { FileStore(storePath) }
    return environment
  }
}

/// At once, for whoever looks while it goes on.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let logger = AutoMobileNetworkLogger(sdk: sdk)

/// Waits for something that calls back.
func wait(_ body: (@escaping @Sendable () -> Void) -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  body { isDone.signal() }
  isDone.wait()
}

func act(_ name: String, _ value: String) {
  switch name {
  case "init":
    var configuration = AutoMobileConfiguration(endpoint: endpoint, storage: .directory(directory))
    configuration.flushIntervalMs = 20
    configuration.consent = Consent(rawValue: value) ?? .granted
    sdk.initialize(bundleId: "com.example.scripted", configuration: configuration)
  case "started": wait { done in sdk.runtime.map { $0.whenStarted(done) } ?? done() }
  case "consent": wait { done in sdk.setConsent(Consent(rawValue: value) ?? .denied, completion: done) }
  case "say-consent": sdk.setConsent(Consent(rawValue: value) ?? .denied)
  case "erase": wait { done in sdk.eraseAll(completion: done) }
  case "say-erase": sdk.eraseAll()
  // From here on no erasure comes to its end.
  case "hold-erasures": sdk.erasers.add { _ in }
  // Until what an earlier launch was to erase has gone; or for a minute.
  case "await-erased":
    let deadline = Date() + 60
    func isLeft() -> Bool {
      if sdk.runtime?.consent.isErasureLeft == true { return true }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
      return sdk.consent == .denied && !names.isEmpty
    }
    while isLeft(), Date() < deadline { usleep(10_000) }
  case "on": sdk.setEnabled(true)
  case "off": sdk.setEnabled(false)
  case "user": sdk.setUserId(value)
  case "logout": sdk.setUserId(nil)
  case "logout-by-context": sdk.sdkContext?.userId = nil
  case "reset-context": sdk.sdkContext?.reset()
  case "await-erasure":
    while sdk.diagnostics.dropped["erased"] == nil {
      sdk.trackEvent(name: "still here")
      usleep(50_000)
    }
  case "event": sdk.trackEvent(name: value)
  case "events":
    for number in 0..<(Int(value) ?? 0) { sdk.trackEvent(name: "event", properties: ["number": String(number)]) }
  case "foreground": sdk.runtime?.delivery?.retryNow()
  case "flush": sdk.flush()
  case "wait": usleep(UInt32(value).map { $0 * 1000 } ?? 0)
  case "deliver":
    wait { done in
      Task {
        await sdk.shutdownAndDeliver()
        done()
      }
    }
  case "signals": AutoMobileCrashes.shared.enableSignalHandlers()
  case "crash": raise(SIGSEGV)
  case "log":
    var configuration = NetworkLoggerConfiguration(NetworkLogDirectory(URL(fileURLWithPath: value)))
    (configuration.isProduction, configuration.isAutomation) = (false, false)
    configuration.options.freeDiskFloor = 0
    logger.start(configuration)
  case "request":
    guard let url = URL(string: value) else { exit(65) }
    let configuration = URLSessionConfiguration.ephemeral
    logger.register(in: configuration)
    AutoMobileNetwork.shared.register(in: configuration)
    wait { done in
      URLSession(configuration: configuration).dataTask(with: url) { _, _, _ in done() }.resume()
    }
  case "look":
    let diagnostics = sdk.diagnostics
    say(
      "look \(diagnostics.consent.rawValue) \(diagnostics.storage.rawValue) user=\(sdk.sdkContext?.userId ?? "") "
        + "id=\(sdk.anonymousId ?? "") crash=\(AutoMobileCrashes.shared.previousCrash?.errorDomain ?? "")")
  default:
    FileHandle.standardError.write(Data("unknown act: \(name)\n".utf8))
    exit(64)
  }
}

for argument in CommandLine.arguments.dropFirst(4) {
  let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  act(parts[0], parts.count > 1 ? parts[1] : "")
  say(argument)
}
