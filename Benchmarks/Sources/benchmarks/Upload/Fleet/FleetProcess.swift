import AutoMobileSDK
import Foundation

/// One launch of an app on one of the fleet's phones: a process with the whole SDK, that is killed when its session is over, as the
/// system does it to apps in the background, or crashes.
///
/// Real: the process, the journal, the crash and its handler, what the next launch makes of it, evaluation, delivery over HTTP. Not
/// real: the time. A session of minutes is recorded in milliseconds, its events bearing the times that they would have had; for each
/// thirty seconds of it there is one delivery.
enum FleetProcess {
  static let argument = "--fleet"
  /// Of a launch that only delivers what the one before has left.
  static let last = -1
  /// What a phone waits from one delivery to the next, in milliseconds of the session.
  private static let interval: Int64 = 30_000

  enum Mode: String, CaseIterable {
    case everything, kept

    var policy: UploadPolicy { self == .everything ? .everything : .whenTriggered(UploadRules(FleetRule.all)) }
  }

  /// What was before a launch on its phone.
  enum Before: String { case nothing, killed, crashed }

  /// DIRECTORY URL MODE NUMBER FAULT|- WITNESS BEFORE
  static func run(_ arguments: [String]) -> Never {
    guard arguments.count >= 8, let mode = Mode(rawValue: arguments[3]), let number = Int(arguments[4]),
      let before = Before(rawValue: arguments[7])
    else { exit(64) }
    let fault = FleetSession.Fault(rawValue: arguments[5])
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(coreLimit, &none)
    let sdk = AutoMobileSDK.shared
    AutoMobileCrashes.shared.enableSignalHandlers()
    var configuration = AutoMobileConfiguration.bench(arguments[1], arguments[2], mode.policy, intervalMs: 1)
    // Delivered when this says so.
    (configuration.bufferSize, configuration.flushIntervalMs) = (1_000_000, 3_600_000)
    configuration.journalBudget = 32 << 20
    configuration.subsystems = [.crashes, .failures, .lifecycleEvents]
    sdk.initialize(bundleId: "com.example.bench", configuration: configuration, integrations: [.crashReporting])
    waitForEarlier(sdk, mode, before)
    if number == last {
      Phone(sdk: sdk, mode: mode).goToBackground()
      tell(0, arguments[6])
      end()
    }
    sdk.setUserId("u-\(number)")
    let phone = Phone(sdk: sdk, mode: mode)
    let session = FleetSession(number, fault: fault)
    // So that it ends now: nothing in it is later than what the SDK records itself.
    let begin = Int64(Date().timeIntervalSince1970 * 1000) - (session.times.last ?? 0) - 1
    var next = interval
    for (index, time) in session.times.enumerated() {
      if index == 2 { phone.deliver() }
      if time >= next {
        phone.deliver()
        next = (time / interval + 1) * interval
      }
      session.record(index, at: begin + time, sdk)
    }
    guard sdk.diagnostics.dropped.values.allSatisfy({ $0 == 0 }) else { exit(5) }
    tell(begin, arguments[6])
    if fault == .crash {
      UnsafeMutablePointer<UInt64>(bitPattern: UInt(arguments.count))?.pointee = 1
      exit(7)
    }
    phone.goToBackground()
    end()
  }

  /// Tells who started it when its session has begun, and its launch's name.
  private static func tell(_ begin: Int64, _ witness: String) {
    let told = "\(begin) \(AutoMobileSDK.shared.diagnostics.launchId ?? "")"
    guard (try? Data(told.utf8).write(to: URL(fileURLWithPath: witness))) != nil else { exit(6) }
  }

  /// As the system does it.
  private static func end() -> Never {
    kill(getpid(), SIGKILL)
    exit(8)
  }

  /// Until what the launch before has left has been told and sent: what is told has this moment's time, and would stand in the middle
  /// of a session that is over now.
  private static func waitForEarlier(_ sdk: AutoMobileSDK, _ mode: Mode, _ before: Before) {
    guard before != .nothing else { return }
    let isKnown = DispatchSemaphore(value: 0)
    sdk.whenPreviousLaunchEndIsKnown { _ in isKnown.signal() }
    guard isKnown.wait(timeout: .now() + 300) == .success, sdk.previousLaunchEnd != nil else { exit(9) }
    sdk.getEventBuffer()?.flush()
    // How it ended, and of a crash the crash and what its session was like. Of another end that goes with what this launch tells.
    let isCrash = before == .crashed
    let told = UInt64(isCrash ? (mode == .kept ? 3 : 2) : 1)
    UploadChild.wait("what is told of the launch before") { sdk.diagnostics.recorded >= told }
    if isCrash || mode == .everything {
      UploadChild.wait("the first delivery") { sdk.diagnostics.delivery?.eventsDelivered ?? 0 > 0 }
    }
    waitForRest(sdk)
  }

  /// Until nothing has moved for a while, and no request is under way: an answer that comes after the process's end is one that the
  /// next launch does not know of, and what it answered is sent once more.
  private static func waitForRest(_ sdk: AutoMobileSDK) {
    var (last, since): (DeliveryStatus?, Int) = (nil, 0)
    UploadChild.wait("rest", pause: 4000) {
      let status = sdk.diagnostics.delivery
      since = status == last ? since + 1 : 0
      last = status
      // Of questions, and of the last counts of launches, the answer is not seen.
      let mayBeUnderWay = (status?.requests ?? 0) > (status?.batchesDelivered ?? 0)
      return since >= (mayBeUnderWay ? 100 : Measurement.isShort ? 25 : 10)
    }
  }

  /// What has to be waited for depends on what is sent.
  private struct Phone {
    let sdk: AutoMobileSDK
    let mode: Mode
    /// Of what was delivered before this session, events of earlier launches.
    private let earlier: UInt64

    init(sdk: AutoMobileSDK, mode: Mode) {
      (self.sdk, self.mode) = (sdk, mode)
      let delivered = sdk.diagnostics.delivery?.eventsDelivered ?? 0
      earlier = delivered > sdk.diagnostics.recorded ? delivered - sdk.diagnostics.recorded : 0
    }

    private var delivered: UInt64 { sdk.diagnostics.delivery?.eventsDelivered ?? 0 }

    /// The time for a delivery has come.
    func deliver() {
      sdk.getEventBuffer()?.flush()
      // Where little is sent it is not known what will be.
      guard mode == .everything else { return }
      UploadChild.wait("a delivery") { delivered >= earlier + sdk.diagnostics.recorded }
    }

    /// The app's way to the background: what is to be sent is, and the session told.
    func goToBackground() {
      let before = delivered
      sdk.flush()
      if mode == .kept { UploadChild.wait("a summary") { delivered > before } } else { deliver() }
      waitForRest(sdk)
    }
  }
}

/// The rules that a fleet's phones have: of the standard ones those for the faults that are simulated.
enum FleetRule {
  static let all = UploadRules.standard.rules.filter { rule in
    FleetSession.Fault.allCases.contains { $0.rule == rule.name }
  }

  /// What a fault's window contains, in milliseconds before and after it.
  static func window(_ fault: FleetSession.Fault) -> (before: Int64, after: Int64)? {
    all.first { $0.name == fault.rule }.map {
      (Int64($0.send.minutesBefore * 60_000), Int64($0.send.minutesAfter * 60_000))
    }
  }
}

extension FleetSession.Fault {
  /// The name of the rule that is about it.
  fileprivate var rule: String {
    switch self {
    case .crash: "crash"
    case .hang: "hang"
    case .request: "failed request"
    }
  }
}

#if canImport(Darwin)
private let coreLimit = RLIMIT_CORE
#else
private let coreLimit = __rlimit_resource_t(RLIMIT_CORE.rawValue)
#endif
