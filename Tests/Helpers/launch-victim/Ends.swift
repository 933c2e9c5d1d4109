import AutoMobileJournal
import CAutoMobile
import Foundation

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// Ends of a launch. Those that wait are ended by the test, once they have said that they are ready.
let ends: [String: @Sendable (URL) -> Void] = [
  "crash": { directory in
    startLaunch(in: directory)
    raise(SIGSEGV)
  },
  "exit": { directory in
    startLaunch(in: directory)
    exit(0)
  },
  "return": { directory in startLaunch(in: directory) },
  "shutdown": { directory in
    startLaunch(in: directory).shutdown()
    ready()
  },
  "idle": { directory in
    startLaunch(in: directory)
    ready()
  },
  "idle-without-crash-capture": { directory in
    startLaunch(in: directory, capturesCrashes: false)
    ready()
  },
  "background": { directory in
    startLaunch(in: directory).runtime?.launchHistory?.note(stage: .background)
    ready()
  },
  // An address space of which nine tenths are taken.
  "memory-pressure": { directory in
    let sdk = startLaunch(in: directory)
    limitAddressSpace(to: addressSpace() / 94 * 100)
    sdk.runtime?.launchHistory?.sample()
    ready()
  },
  "out-of-memory": { directory in
    let sdk = startLaunch(in: directory, capturesCrashes: false)
    limitAddressSpace(to: addressSpace() + 256 << 20)
    fillMemory { sdk.runtime?.launchHistory?.sample() }
  },
  // In a control group that the test has made.
  "out-of-memory-in-group": { directory in
    joinControlGroup()
    startLaunch(in: directory)
    fillMemory {}
  },
  "hang": { directory in
    let sdk = startLaunch(in: directory)
    let hang = #"{"eventType":"hang","timestamp":1,"durationMs":2750,"report":{"reportId":"1"}}"#
    Array(hang.utf8).withUnsafeBytes { _ = sdk.runtime?.journal.append(.provisionalHang, $0) }
    ready()
  },
  "hang-that-ended": { directory in
    let sdk = startLaunch(in: directory)
    for record in [#"{"eventType":"hang","durationMs":2750,"report":{"reportId":"1"}}"#, #"{"ended":"1"}"#] {
      Array(record.utf8).withUnsafeBytes { _ = sdk.runtime?.journal.append(.provisionalHang, $0) }
    }
    ready()
  },
  "traced": { directory in
    let sdk = startLaunch(in: directory)
    letParentTrace()
    sdk.runtime?.launchHistory?.sample()
    ready()
  },
  // Says what ended the launch before.
  "look": { directory in
    joinControlGroup()
    let sdk = startLaunch(in: directory)
    let isKnown = DispatchSemaphore(value: 0)
    sdk.whenPreviousLaunchEndIsKnown { _ in isKnown.signal() }
    isKnown.wait()
    say(sdk.previousLaunchEnd)
    exit(0)
  },
]

@discardableResult
private func startLaunch(in directory: URL, capturesCrashes: Bool = true) -> AutoMobileSDK {
  if capturesCrashes { AutoMobileCrashes.shared.enableSignalHandlers() }
  let sdk = start(in: directory, subsystems: [crashes], says: false)
  // What was asked for at the start is written down.
  sdk.runtime?.launchHistory?.sample()
  return sdk
}

private func ready() {
  FileHandle.standardOutput.write(Data("ready\n".utf8))
  waitForever()
}

func say(_ value: some Encodable) {
  guard let line = try? JSONEncoder().encode(value) else { exit(70) }
  FileHandle.standardOutput.write(line + Data("\n".utf8))
}

// MARK: Memory

/// In bytes.
private func addressSpace() -> UInt64 {
  let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first
  return (pages.flatMap { UInt64($0) } ?? 0) * UInt64(getpagesize())
}

private func limitAddressSpace(to bytes: UInt64) {
  var limits = rlimit(rlim_cur: .init(bytes), rlim_max: .init(bytes))
  guard setrlimit(addressSpaceLimit, &limits) == 0 else { exit(71) }
}

/// Takes and touches memory until there is none.
private func fillMemory(_ afterEach: () -> Void) {
  var all: [[UInt8]] = []
  while true {
    all.append([UInt8](repeating: UInt8(truncatingIfNeeded: all.count), count: 4 << 20))
    afterEach()
  }
}

private func joinControlGroup() {
  guard let group = ProcessInfo.processInfo.environment["VICTIM_GROUP"] else { return }
  guard (try? "\(getpid())".write(toFile: group + "/cgroup.procs", atomically: false, encoding: .utf8)) != nil else {
    exit(72)
  }
}

// MARK: Tracing

private func letParentTrace() {
  #if os(Linux)
  // `ptrace` takes a variable number of arguments, which Swift does not import.
  typealias Trace = @convention(c) (Int32, Int32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int
  guard let symbol = dlsym(nil, "ptrace") else { exit(73) }
  guard unsafeBitCast(symbol, to: Trace.self)(0, 0, nil, nil) == 0 else { exit(74) }
  #endif
}

#if canImport(Darwin)
let addressSpaceLimit = RLIMIT_AS
#else
let addressSpaceLimit = __rlimit_resource_t(UInt32(RLIMIT_AS.rawValue))
#endif
