import AutoMobileSupport
import Dispatch

/// Records what barriers caught as handled exceptions: the first of each kind, so that a listener that throws at every
/// event does not fill the journal, nor recording call it again without end.
final class BarrierReporter: Sendable {
  private struct Kind: Equatable {
    var place: String
    var name: String
  }

  /// A list, which is short: the first set of a type costs more, while the app starts.
  private let reported = Locked<[Kind]>([])
  private let buffer: SdkEventBuffer
  private let context: SdkContext
  private let currentScreen: CurrentScreen
  private let bundleId: String
  private let queue = BackgroundQueue.make("barrier")

  /// Kinds of failures that are reported in one launch.
  static let maximumReports = 32

  init(_ host: SubsystemHost) {
    buffer = host.buffer
    context = host.context
    currentScreen = host.currentScreen
    bundleId = host.bundleId ?? ""
  }

  /// Reports a failure, in the background, unless one like it has been.
  func report(_ failure: BarrierFailure) {
    let kind = Kind(place: failure.place, name: failure.name)
    let isNew = reported.withLock { reported in
      guard reported.count < Self.maximumReports, !reported.contains(kind) else { return false }
      reported.append(kind)
      return true
    }
    guard isNew else { return }
    // Recording calls code of the app, which is what has just thrown.
    queue.async { [self] in buffer.add(event(failure)) }
  }

  private func event(_ failure: BarrierFailure) -> SdkHandledExceptionEvent {
    SdkHandledExceptionEvent(
      errorDomain: failure.name, errorMessage: failure.reason,
      stackTrace: failure.returnAddresses.map { HexDigits.text(UInt64($0)) }.joined(separator: "\n"),
      customMessage: "caught by AutoMobile's error barrier at \(failure.place)", currentScreen: currentScreen.noted,
      bundleId: bundleId, appVersion: context.appVersion, deviceInfo: .current)
  }
}

extension SdkEnvironment.Subsystem {
  /// Reports what the process's barriers catch.
  package static let barrierReporter = Self(
    start: { host in
      let reporter = BarrierReporter(host)
      InternalFailures.shared.tell { reporter.report($0) }
    },
    reset: { InternalFailures.shared.tell(nil) })
}
