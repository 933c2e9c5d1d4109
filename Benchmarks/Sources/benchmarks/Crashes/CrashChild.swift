import AutoMobileSDK
import CAutoMobile
import Foundation

/// The child's side of a death: `--crash DIRECTORY WITNESS 0|1 [--parked N | --busy N]`.
func crashAndLeaveTime(_ arguments: [String]) -> Never {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(coreLimit, &none)
  if arguments[3] == "1" { AutoMobileCrashes.shared.enableSignalHandlers() }
  let directory = URL(fileURLWithPath: arguments[1], isDirectory: true)
  AutoMobileSDK.shared.initialize(
    bundleId: "com.example.bench", configuration: AutoMobileConfiguration(storage: .directory(directory)))
  for step in 0..<100 { AutoMobileSDK.shared.addBreadcrumb("step \(step)") }
  if arguments.count > 5, let count = Int(arguments[5]) {
    for _ in 0..<count {
      Thread.detachNewThread {
        while arguments[4] == "--parked" { sleep(1000) }
        var number: UInt64 = 1
        while number != 0 { number = number &* 6_364_136_223_846_793_005 &+ 1 }
      }
    }
  }
  // What happens in the background after a start is over then, as in an app that has run for a while.
  usleep(300_000)
  let witness = open(arguments[2], O_RDWR | O_CREAT, 0o600)
  var now = monotonicNow()
  write(witness, &now, 8)
  now = monotonicNow()
  pwrite(witness, &now, 8, 0)
  UnsafeMutablePointer<UInt64>(bitPattern: UInt(arguments.count))?.pointee = 1
  exit(1)
}

/// `--install DIRECTORY WITNESS`: how long it takes to make ready.
func installAndLeaveTime(_ arguments: [String]) -> Never {
  let path = arguments[1] + "/lane.crash"
  var identity = am_crash_identity()
  identity.pid = Int64(getpid())
  var elapsed = monotonicNow()
  let start = monotonicNow()
  let code = am_crash_lane_plan(path, &identity)
  _ = am_crash_prepare_thread()
  _ = am_crash_signals_enable(UInt32(AM_CRASH_ABRT | AM_CRASH_SEGV | AM_CRASH_BUS | AM_CRASH_FPE | AM_CRASH_ILL))
  _ = am_crash_terminate_enable()
  elapsed = monotonicNow() - start
  guard code == 0 else { exit(1) }
  let witness = open(arguments[2], O_RDWR | O_CREAT, 0o600)
  write(witness, &elapsed, 8)
  exit(0)
}

#if canImport(Darwin)
private let coreLimit = RLIMIT_CORE
#else
private let coreLimit = __rlimit_resource_t(RLIMIT_CORE.rawValue)
#endif
