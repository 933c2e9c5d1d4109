#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
import AutoMobileSupport
import AutoMobileRecorder
import Foundation
import UIKit

/// The battery, as `UIDevice` has it. Without monitoring that knows nothing: it is switched on if nobody else has done so, and
/// off again at the end. (An app that switches it on meanwhile cannot be noticed, and has to do so again.)
final class BatterySource: OsEventSource {
  private let observations: NotificationObservations
  /// Whether monitoring is ours to switch off. Only touched on the main thread.
  private let isOwner = Locked(false)

  init(center: NotificationCenter = .default) { observations = NotificationObservations(center) }

  func start(_ onSignal: @escaping @Sendable (OsSignal) -> Void) {
    for name in [UIDevice.batteryLevelDidChangeNotification, UIDevice.batteryStateDidChangeNotification] {
      observations.add(name, at: .deviceState) { Self.tell(onSignal) }
    }
    DispatchQueue.main.async { [isOwner] in
      ErrorBarrier.run(.deviceState) {
        if !UIDevice.current.isBatteryMonitoringEnabled {
          UIDevice.current.isBatteryMonitoringEnabled = true
          isOwner.withLock { $0 = true }
        }
      }
      Self.tell(onSignal)
    }
  }

  func stop() {
    observations.end()
    DispatchQueue.main.async { [isOwner] in
      ErrorBarrier.run(.deviceState) {
        let wasOwner = isOwner.withLock { isOwner in
          defer { isOwner = false }
          return isOwner
        }
        if wasOwner { UIDevice.current.isBatteryMonitoringEnabled = false }
      }
    }
  }

  private static func tell(_ onSignal: @escaping @Sendable (OsSignal) -> Void) {
    DispatchQueue.main.async {
      ErrorBarrier.run(.deviceState) {
        let reading = BatteryReading(UIDevice.current)
        if reading.isKnown { onSignal(.battery(reading)) }
      }
    }
  }
}

extension BatteryReading {
  @MainActor fileprivate init(_ device: UIDevice) {
    let charging: Charging =
      switch device.batteryState {
      case .unplugged: .unplugged
      case .charging: .charging
      case .full: .full
      default: .unknown
      }
    self.init(level: Double(device.batteryLevel), charging: charging)
  }
}
#endif
