import AutoMobileRecorder
import CAutoMobile
import Foundation

/// An error that the app reported: what was known at once.
struct Failure: Sendable {
  let id = UUID().uuidString
  let timestamp = EventClock.now()
  let error: ErrorDescription
  let underlying: [ErrorDescription]
  let message: String?
  let screen: String?
  let fingerprint: String?
  var bundleId: String
  var appVersion: String?
  let thread = am_thread_current()
  /// To which the calls return, the innermost first.
  let addresses: [UInt64]

  init(
    _ error: any Error, message: String?, screen: String?, fingerprint: String?, bundleId: String?, appVersion: String?,
    addresses: [UInt64]
  ) {
    self.error = ErrorDescription(error)
    underlying = ErrorChain.underlying(error).map(ErrorDescription.init)
    self.message = message
    self.screen = screen
    self.fingerprint = fingerprint.flatMap { $0.isEmpty ? nil : String($0.prefix(200)) }
    self.bundleId = bundleId ?? ""
    self.appVersion = appVersion
    self.addresses = addresses
  }

  /// What is recorded while recording is switched off: it is counted, and nobody sees it.
  static let unheard = SdkHandledExceptionEvent(
    timestamp: 0, errorDomain: "", errorMessage: nil, stackTrace: "", customMessage: nil, currentScreen: nil,
    bundleId: "", appVersion: nil, deviceInfo: .current)

  /// The event, without the names of functions: looking those up reads files.
  func event(_ unwinder: StackUnwinder) -> SdkHandledExceptionEvent {
    let report = report(unwinder, names: false)
    return SdkHandledExceptionEvent(
      timestamp: timestamp, errorDomain: error.domain, errorMessage: error.message, stackTrace: report.stackTrace,
      customMessage: message, currentScreen: screen, bundleId: bundleId, appVersion: appVersion,
      deviceInfo: .current, errorCode: error.code,
      underlyingErrors: underlying.isEmpty
        ? nil
        : underlying.map {
          SdkHandledExceptionEvent.UnderlyingError(domain: $0.domain, code: $0.code, message: $0.message)
        },
      report: report, fingerprint: fingerprint)
  }

  /// The same for the app, with names. Reads files.
  func recentEvent(_ unwinder: StackUnwinder) -> HandledExceptionEvent {
    HandledExceptionEvent(
      timestamp: timestamp, errorDomain: error.domain, errorMessage: error.message,
      stackTrace: report(unwinder, names: true).stackTrace, customMessage: message, currentScreen: screen,
      bundleId: bundleId, appVersion: appVersion, deviceInfo: .current)
  }

  private func report(_ unwinder: StackUnwinder, names: Bool) -> DiagnosticReport {
    var stacks = [
      addresses.map { StackFrame(address: $0, trust: Self.trust, image: unwinder.images.index(of: $0 &- 1)) }
    ]
    if names { SymbolNames(files: unwinder.files).name(&stacks) }
    var reported = ReportedStacks(unwinder, architecture: .current)
    let frames = reported.frames(stacks[0])
    var report = DiagnosticReport.ofThisProcess(id: id, kind: .failure)
    report.exception = DiagnosticReport.ExceptionInformation(type: error.domain, reason: error.message)
    report.threads = [DiagnosticReport.Thread(id: thread, frames: frames)]
    report.images = reported.images
    return report
  }

  #if canImport(Darwin)
  private static let trust = StackFrame.Trust.framePointer
  #else
  private static let trust = StackFrame.Trust.cfi
  #endif
}
