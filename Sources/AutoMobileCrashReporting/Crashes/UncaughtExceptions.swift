#if canImport(ObjectiveC)
import AutoMobileSupport
import AutoMobileRecorder
import CAutoMobile
import Foundation

/// Reports an `NSException` that nobody catches, then calls the handler that was there before.
enum UncaughtExceptions {
  private static let previous = Locked<(@convention(c) (NSException) -> Void)?>(nil)

  private static let handler: @convention(c) (NSException) -> Void = { exception in
    if isReporting.value == 1 { report(exception) }
    previous.withLock { $0 }?(exception)
  }

  private static let isReporting = AtomicWord(1)

  /// Without, exceptions are only passed on.
  static func setReporting(_ reporting: Bool) { isReporting.store(reporting ? 1 : 0) }

  /// Does nothing when it has been done, also when another handler was installed since, which then calls this one.
  static func install() {
    _ = installed
  }

  private static let installed: Void = {
    let before = NSGetUncaughtExceptionHandler()
    previous.withLock { $0 = before }
    NSSetUncaughtExceptionHandler(handler)
  }()

  private static func report(_ exception: NSException) {
    let addresses = exception.callStackReturnAddresses.map(\.uint64Value)
    am_crash_record_exception(
      UInt32(AM_EXCEPTION_OBJECTIVE_C), exception.name.rawValue, exception.reason, addresses,
      UInt32(clamping: addresses.count))
  }
}
#endif
