import AutoMobileSDK
import Foundation

/// What switching a part of the SDK on costs the calling thread, in an SDK that is initialized.
func benchmarkSubsystems(_ report: Report) {
  report.heading("setEnabled(true, for:), the calling thread's share")
  let parts: [(name: String, subsystem: AutoMobileSubsystems)] = [
    ("failures", .failures), ("log", .log), ("hangs", .hangs), ("network", .network), ("navigation", .navigation),
    ("osEvents", .osEvents), ("systemNotifications", .systemNotifications),
  ]
  withScratchDirectory { directory in
    AutoMobileSDK.shared.initialize(
      bundleId: "com.example.bench", configuration: AutoMobileConfiguration(storage: .directory(directory)))
    for part in parts {
      let samples = (0..<Measurement.count(200)).map { _ -> Double in
        AutoMobileSDK.shared.setEnabled(false, for: part.subsystem)
        let start = DispatchTime.now().uptimeNanoseconds
        AutoMobileSDK.shared.setEnabled(true, for: part.subsystem)
        return Double(DispatchTime.now().uptimeNanoseconds - start)
      }
      report.expect("\(part.name) is on", AutoMobileSDK.shared.isEnabled(part.subsystem))
      report.time(part.name, Measurement(nanoseconds: samples), unit: .µs, target: 2e5)
    }
    AutoMobileSDK.shared.shutdown()
  }
}
