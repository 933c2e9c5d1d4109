#if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
import AutoMobileSupport
import AutoMobileRecorder
import Foundation
import MetricKit

/// Hands MetricKit's diagnostics to a ``MetricKitReporter``: those that come, and those that were there before.
final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber, Sendable {
  private let reporter: MetricKitReporter

  init(_ reporter: MetricKitReporter) {
    self.reporter = reporter
    super.init()
  }

  /// For a background queue.
  func start() {
    reporter.goOn()
    MXMetricManager.shared.add(self)
    didReceive(MXMetricManager.shared.pastDiagnosticPayloads)
  }

  /// For a background queue.
  func erase() { reporter.erase() }

  /// - Parameter isAtRest: with all of the SDK.
  func stop(isAtRest: Bool) {
    MXMetricManager.shared.remove(self)
    if isAtRest { reporter.rest() }
  }

  func didReceive(_ payloads: [MXDiagnosticPayload]) {
    ErrorBarrier.run(.metricKit) {
      if !payloads.isEmpty { reporter.receive(payloads.map { $0.jsonRepresentation() }) }
    }
  }
}

extension SdkEnvironment.Subsystem {
  private static let state = Locked<(subscriber: MetricKitSubscriber?, isEnabled: Bool)>((nil, false))

  /// Diagnostics of the system's, as events.
  static let metricKit = Self(
    name: .metricKit,
    start: { host in
      let reporter = MetricKitReporter(
        journal: host.journal, directory: host.directory, bundleId: host.bundleId,
        appVersion: host.context.appVersion, device: .current, buffer: host.buffer,
        erasedAt: host.erasedAt)
      host.earlierLaunches.add(.verdict) { reporter.remember($0) }
      let subscriber = MetricKitSubscriber(reporter)
      state.withLock { $0.subscriber = subscriber }
    },
    setEnabled: { enabled, host in
      let subscriber = state.withLock { state in
        defer { state.isEnabled = enabled }
        return state.isEnabled == enabled ? nil : state.subscriber
      }
      guard let subscriber else { return }
      guard enabled else { return subscriber.stop(isAtRest: !host.buffer.isRecording) }
      host.startWork.add("MetricKit") { subscriber.start() }
    },
    isEnabled: { state.withLock { $0.isEnabled } },
    erase: { _ in state.withLock { $0.subscriber }?.erase() },
    reset: {
      let old = state.withLock { state in
        defer { state = (nil, false) }
        return state.subscriber
      }
      old?.stop(isAtRest: false)
    })
}
#endif
