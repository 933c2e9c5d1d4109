#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
import AutoMobileRecorder
import Foundation
import UIKit

/// The brightness of the device's own screen.
final class BrightnessSource: OsEventSource {
  private let observations: NotificationObservations

  init(center: NotificationCenter = .default) { observations = NotificationObservations(center) }

  func start(_ onSignal: @escaping @Sendable (OsSignal) -> Void) {
    observations.add(UIScreen.brightnessDidChangeNotification, at: .deviceState) {
      DispatchQueue.main.async {
        ErrorBarrier.run(.deviceState) {
          let brightness = min(1, max(0, Double(UIScreen.main.brightness)))
          onSignal(.brightness(percent: Int(saturating: (brightness * 100).rounded())))
        }
      }
    }
  }

  func stop() { observations.end() }
}
#endif
