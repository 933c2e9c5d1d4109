import AutoMobileSDK
import AutoMobileSupport
import Foundation

@testable import AutoMobileCrashReporting
@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// What a launch can do, by name.
let modes: [String: @Sendable (URL) -> Void] = starts.merging(ends) { $1 }

/// Starts of the SDK.
let starts: [String: @Sendable (URL) -> Void] = [
  "start": { directory in
    start(in: directory)
    exit(0)
  },
  "die-in-initialize": { directory in
    start(in: directory, subsystems: [.init { _ in die() }])
  },
  // A fault of the SDK's own, in what safe mode leaves out.
  "die-in-start-work": { directory in
    AutoMobileCrashes.shared.enableSignalHandlers()
    start(
      in: directory,
      subsystems: [crashes, .init(name: .frames) { host in host.startWork.add("poisoned report") { raise(SIGSEGV) } }])
    exit(0)
  },
  // The same in what safe mode has.
  "die-in-safe-mode": { directory in
    AutoMobileCrashes.shared.enableSignalHandlers()
    start(
      in: directory,
      subsystems: [
        .init(name: .crashes) {
          crashes.start($0); $0.startWork.add("lane") { raise(SIGSEGV) }
        }
      ])
    exit(0)
  },
  // In an observer of the app's, which the SDK calls on a queue of its own.
  "app-dies-on-queue": { directory in
    AutoMobileCrashes.shared.enableSignalHandlers()
    let calls = SdkEnvironment.Subsystem(name: .frames) { host in
      host.startWork.add("callback") { _ = ErrorBarrier.run(.batchObserver) { raise(SIGSEGV) } }
    }
    start(in: directory, subsystems: [crashes, calls])
    exit(0)
  },
  "app-dies-in-start": { directory in
    AutoMobileCrashes.shared.enableSignalHandlers()
    let slow = SdkEnvironment.Subsystem { host in host.startWork.add("slow report") { waitForever() } }
    start(in: directory, subsystems: [crashes, slow], wait: false)
    raise(SIGSEGV)
  },
  // Until somebody ends it.
  "wait-in-start-work": { directory in
    let slow = SdkEnvironment.Subsystem { host in host.startWork.add("slow report") { waitForever() } }
    start(in: directory, subsystems: [crashes, slow], wait: false)
    waitForever()
  },
  // Switched off at first; what it dies of comes when it is switched on.
  "die-when-switched-on": { directory in
    AutoMobileCrashes.shared.enableSignalHandlers()
    let sdk = start(
      in: directory, subsystems: [crashes, .init(name: .frames) { _ in raise(SIGSEGV) }], wait: false, says: false,
      isEnabled: false)
    sdk.setEnabled(true)
    guard let runtime = sdk.runtime else { exit(70) }
    for _ in 0..<2 { runtime.presence.sync {} }
    say(sdk.diagnostics)
    exit(0)
  },
  "exit-in-start-work": { directory in
    let slow = SdkEnvironment.Subsystem { host in host.startWork.add("slow report") { waitForever() } }
    start(in: directory, subsystems: [slow], wait: false)
    exit(0)
  },
  "launch-time": { directory in
    let works = ProcessInfo.processInfo.environment["VICTIM_WORKS_MS"].flatMap { UInt32($0) }
    if let works { usleep(works * 1000) }
    let sdk = start(in: directory, subsystems: [.launchTime(LaunchTimeSubsystem.shared)], says: false)
    sayLaunch(sdk)
    exit(0)
  },
  "die-after-start": { directory in
    start(in: directory)
    die()
  },
]

let crashes = SdkEnvironment.Subsystem(name: .crashes) { AutoMobileCrashes.shared.start($0) }

/// Starts an SDK in a directory, and waits until its start is over. Says how it is doing.
@discardableResult
func start(
  in directory: URL, subsystems: [SdkEnvironment.Subsystem] = [], wait: Bool = true, says: Bool = true,
  isEnabled: Bool = true
) -> AutoMobileSDK {
  let isStarted = DispatchSemaphore(value: 0)
  var environment = SdkEnvironment.live()
  environment.defaultEndpoint = nil
  let variables = ProcessInfo.processInfo.environment
  environment.appVersion = variables["VICTIM_VERSION"] ?? "1.0"
  environment.takesIntegrations = false
  environment.subsystems = subsystems
  environment.guardsAgainstCrashLoops = variables["VICTIM_UNGUARDED"] == nil
  let boot = variables["VICTIM_BOOT"]
  environment.addLaunchHistory {
    var probe = ProcessProbe.system
    if let boot { probe.boot = { boot } }
    return probe
  }
  let sdk = AutoMobileSDK { [environment] in environment }
  // Everything is kept, so that a test can look at all launches.
  var configuration = AutoMobileConfiguration(storage: .directory(directory), journalBudget: 512 << 20)
  if let collector = variables["VICTIM_COLLECTOR"] {
    configuration.endpoint = URL(string: collector)
    configuration.waitsForCrashAtLaunch = true
  }
  if !isEnabled { sdk.setEnabled(false) }
  sdk.initialize(bundleId: "com.example.launches", configuration: configuration)
  // As an app keeps its own.
  kept.withLock { $0.append(sdk) }
  if wait, let runtime = sdk.runtime {
    runtime.whenStarted { isStarted.signal() }
    isStarted.wait()
  }
  if says, let line = try? JSONEncoder().encode(sdk.diagnostics) {
    FileHandle.standardOutput.write(line + Data("\n".utf8))
  }
  if wait, configuration.endpoint != nil { deliver(sdk) }
  return sdk
}

/// Waits until what has been recorded is with the collector: initialization is held for two seconds at most, in which a
/// busy machine may not come to it.
private func deliver(_ sdk: AutoMobileSDK) {
  // After ten seconds nobody waits for the report any more.
  for _ in 0..<5 { sdk.runtime?.waitForCrashAtLaunch() }
  let isDone = DispatchSemaphore(value: 0)
  // Not on the main actor, whose thread waits.
  Task.detached {
    await sdk.shutdownAndDeliver()
    isDone.signal()
  }
  isDone.wait()
}

/// Prints what was recorded of this launch's time.
private func sayLaunch(_ sdk: AutoMobileSDK) {
  let records = sdk.runtime?.journal.tail(from: 0, maximumBytes: .max, maximumRecords: .max).records ?? []
  for record in records where record.kind == .event {
    guard let event = try? SdkEventDecoder.decode(Data(record.payload)) as? SdkCustomEvent,
      event.name == RecordedName.launch, let line = try? JSONEncoder().encode(event.typedProperties)
    else { continue }
    FileHandle.standardOutput.write(line + Data("\n".utf8))
  }
}

private let kept = Locked<[AutoMobileSDK]>([])

/// Dies at once, like somebody who does not handle a signal.
func die() -> Never {
  signal(SIGABRT, SIG_DFL)
  abort()
}

func waitForever() -> Never {
  // Nobody is left to kill this program when its test has been killed.
  let parent = getppid()
  while getppid() == parent { sleep(1) }
  exit(0)
}

#if canImport(Darwin)
let coreLimit = RLIMIT_CORE
#else
let coreLimit = __rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue))
#endif
