import Foundation

/// Documentation: *UIDevice*. iOS 2.0.
@MainActor open class UIDevice: NSObject {
  /// Documentation: *current*. iOS 2.0.
  public class var current: UIDevice { theDevice }
  private static let theDevice = UIDevice()

  nonisolated override init() {}

  /// Documentation: *UIDevice.BatteryState*. iOS 3.0.
  public enum BatteryState: Int, Sendable {
    case unknown = 0
    case unplugged = 1
    case charging = 2
    case full = 3
  }

  /// Documentation: *isBatteryMonitoringEnabled*. iOS 3.0.
  public var isBatteryMonitoringEnabled = false

  /// Documentation: *batteryLevel*. iOS 3.0.
  public var batteryLevel: Float { isBatteryMonitoringEnabled ? battery.level : -1 }

  /// Documentation: *batteryState*. iOS 3.0.
  public var batteryState: BatteryState { isBatteryMonitoringEnabled ? battery.state : .unknown }

  var battery: (level: Float, state: BatteryState) = (-1, .unknown)
}

extension UIDevice {
  /// Documentation: *batteryLevelDidChangeNotification*. iOS 3.0.
  nonisolated public class var batteryLevelDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UIDeviceBatteryLevelDidChangeNotification")
  }

  /// Documentation: *batteryStateDidChangeNotification*. iOS 3.0.
  nonisolated public class var batteryStateDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UIDeviceBatteryStateDidChangeNotification")
  }
}
