#if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
import Foundation
import MetricKit

/// Hands MetricKit's diagnostics to a ``MetricKitReporter``: those that come, and those that were there before.
final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber {
  private let reporter: MetricKitReporter

  init(_ reporter: MetricKitReporter) {
    self.reporter = reporter
    super.init()
  }

  /// For a background queue.
  func start() {
    MXMetricManager.shared.add(self)
    didReceive(MXMetricManager.shared.pastDiagnosticPayloads)
  }

  func stop() { MXMetricManager.shared.remove(self) }

  func didReceive(_ payloads: [MXDiagnosticPayload]) {
    ErrorBarrier.run(.metricKit) {
      if !payloads.isEmpty { reporter.receive(payloads.map { $0.jsonRepresentation() }) }
    }
  }
}

extension SdkEnvironment.Subsystem {
  private static let subscriber = Locked<MetricKitSubscriber?>(nil)

  /// Diagnostics of the system's, as events.
  static let metricKit = SdkEnvironment.Subsystem(
    start: { host in
      let reporter = MetricKitReporter(
        journal: host.journal, directory: host.directory, bundleId: host.bundleId,
        appVersion: host.context.appVersion, device: .current, buffer: host.buffer)
      host.earlierLaunches.add(.verdict) { reporter.remember($0) }
      let new = MetricKitSubscriber(reporter)
      subscriber.withLock { $0 = new }
      host.startWork.add("MetricKit") { new.start() }
    },
    reset: {
      let old = subscriber.withLock { subscriber in
        defer { subscriber = nil }
        return subscriber
      }
      old?.stop()
    })
}
#endif
