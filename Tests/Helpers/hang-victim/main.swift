// A program whose main thread hangs when it is told to, in one of several ways.
//
//     hang-victim DIRECTORY [run-loop | dispatch-main]
//     hang-victim debug PID FILE
//
// It records in DIRECTORY/recordings. Files in DIRECTORY are its orders and its answers: `armed` appears with the
// process's number when the watchdog is awake; `hang-N` holds a way to hang, and makes the main thread hang until `release-N`
// is there; `begun-N` and `over-N` appear when that begins and when it goes on.
//
// As `debug`, it is the debugger of another process, for as long as FILE is there.

import Foundation
import HangProps

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
@testable import AutoMobileSDK

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "debug", let process = Int32(arguments[2]) {
  guard attach_debugger(process) else { exit(77) }
  try Data().write(to: URL(fileURLWithPath: arguments[3] + ".attached"))
  while access(arguments[3], F_OK) == 0 { usleep(2000) }
  exit(detach_debugger(process) ? 0 : 78)
}
guard (2...3).contains(arguments.count) else {
  FileHandle.standardError.write(Data("usage: hang-victim DIRECTORY [run-loop | dispatch-main]\n".utf8))
  exit(64)
}
let orders = Orders(directory: URL(fileURLWithPath: arguments[1], isDirectory: true))
allow_debugger()

let hangs = AutoMobileHangs.shared
// Long enough that a main thread that waits for a processor on a busy machine does not hang.
let variables = ProcessInfo.processInfo.environment
hangs.hangThresholdMs = variables["HANG_THRESHOLD_MS"].flatMap { Double($0) } ?? 500
hangs.pollIntervalMs = variables["HANG_INTERVAL_MS"].flatMap { Double($0) } ?? 50

var environment = SdkEnvironment.live()
environment.defaultEndpoint = nil
environment.takesIntegrations = false
environment.addLaunchHistory { .system }
environment.subsystems = [.hangs(AutoMobileHangs.shared)]
let sdk = AutoMobileSDK { [environment] in environment }
sdk.initialize(
  bundleId: "com.example.hanging",
  configuration: AutoMobileConfiguration(storage: .directory(orders.file("recordings"))))
sdk.setUserId("ada")
sdk.notifyNavigationEvent(NavigationEvent(destination: "Checkout", source: .custom))

// Nobody is left to kill this program when its test has been killed.
let parent = getppid()
Thread.detachNewThread {
  while !hangs.isServed, getppid() == parent { usleep(2000) }
  orders.answer("armed", "\(getpid())")
  orders.obey { getppid() == parent }
  exit(0)
}
if arguments.last == "run-loop" { RunLoop.main.run() } else { dispatchMain() }
