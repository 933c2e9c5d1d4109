// A program that is made to die, in every way that a crash report has to tell of.
//
//     crash-victim WAY DIRECTORY [OPTION …]
//
// It records into DIRECTORY: a navigation to `checkout`, 20 breadcrumbs, `step 0` … `step 19`, and one event. Then it dies
// as WAY says. Options:
//
//     --without-handlers   as if the SDK had no crash handlers
//     --without-signals    only what is always there: exceptions
//     --host1, --host3     handlers of the host's, installed before ours, with one or three arguments
//     --parked N, --busy N threads besides
//     --trap               SIGTRAP, too
//     --live               with everything that an app's SDK starts, not the crash handlers alone
//     --deliver URL        to a collector; without it nothing is delivered
//     --at-launch MS       dies so many milliseconds after initialization, with nothing else done
//     --waits              initialization waits for the report of a crash at launch

import AutoMobileSDK
import CAutoMobile
import CrashWays
import Foundation

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2, let way = ways[arguments[0]] else {
  FileHandle.standardError.write(Data("usage: crash-victim WAY DIRECTORY [OPTION …]\n".utf8))
  exit(64)
}
let options = Set(arguments.dropFirst(2))
let directory = URL(fileURLWithPath: arguments[1], isDirectory: true)

// Threads of Dispatch block signals, and whom they start inherits that.
var none = sigset_t()
sigemptyset(&none)
sigprocmask(SIG_SETMASK, &none, nil)
do_not_buffer_output()
// A test that is killed leaves nobody to end this program.
alarm(120)
var limit = rlimit(rlim_cur: 0, rlim_max: 0)
setrlimit(__rlimit_resource_t(4), &limit)

if options.contains("--host1") { install_host_handlers(0, 0, nil) }
if options.contains("--host3") { install_host_handlers(1, 0, nil) }
way.beforehand()

let reports = !options.contains("--without-handlers")
if reports, !options.contains("--without-signals") {
  AutoMobileCrashes.shared.enableSignalHandlers(options.contains("--trap") ? [.standard, .trap] : .standard)
}

var environment = options.contains("--live") ? SdkEnvironment.live() : SdkEnvironment()
environment.defaultEndpoint = nil
environment.appVersion = "1.2.3"
if !options.contains("--live") {
  environment.addLaunchHistory(makeProbe: nil)
  let crashes = SdkEnvironment.Subsystem(
    start: { AutoMobileCrashes.shared.start($0) }, failure: { AutoMobileCrashes.shared.failure })
  environment.subsystems = reports ? [crashes] : []
}
if let die = way.duringInitialize { environment.subsystems.append(.init(start: { _ in die() })) }
let sdk = AutoMobileSDK { [environment] in environment }
let collector = arguments.firstIndex(of: "--deliver").flatMap { URL(string: arguments[$0 + 1]) }
let waits = options.contains("--waits")
sdk.initialize(
  bundleId: "com.example.test",
  configuration: AutoMobileConfiguration(
    endpoint: collector, storage: .directory(directory), waitsForCrashAtLaunch: waits))

if let index = arguments.firstIndex(of: "--at-launch"), let milliseconds = UInt32(arguments[index + 1]) {
  if milliseconds > 0 { usleep(milliseconds * 1000) }
  way.die()
}

for (option, computes) in [("--parked", false), ("--busy", true)] {
  guard let index = arguments.firstIndex(of: option), let count = Int32(arguments[index + 1]) else { continue }
  start_threads(count, computes ? 1 : 0)
}

sdk.notifyNavigationEvent(NavigationEvent(destination: "checkout", source: .custom))
for step in 0..<20 { sdk.addBreadcrumb("step \(step)") }
sdk.trackEvent(name: "last", properties: ["way": arguments[0]])
if reports {
  // As after a moment: the ways to die during initialization come before.
  _ = CrashLaneFile.open()
  am_crash_images_refresh()
}
way.die()
print("survived")
