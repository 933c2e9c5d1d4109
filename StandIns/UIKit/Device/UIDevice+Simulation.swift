import Foundation

extension UIDevice {
  /// The battery is used or charged, or the cable is put in or out. Nobody hears of it unless monitoring is switched on.
  public func simulateBattery(level: Float, state: BatteryState) {
    let before = battery
    battery = (level, state)
    guard isBatteryMonitoringEnabled else { return }
    if before.level != level { post(Self.batteryLevelDidChangeNotification) }
    if before.state != state { post(Self.batteryStateDidChangeNotification) }
  }

  private func post(_ name: NSNotification.Name) { NotificationCenter.default.post(name: name, object: self) }
}
