import Foundation

/// How full the battery is, and whether it is charged.
struct BatteryReading: Sendable, Equatable {
  enum Charging: String, Sendable, CaseIterable {
    case unknown, unplugged, charging, full
  }

  /// 0 to 100; nil when the system does not know.
  var percent: Int?
  var charging: Charging

  /// - Parameter level: 0 to 1; less when the system does not know.
  init(level: Double, charging: Charging) {
    percent = level >= 0 ? min(100, Int(saturating: (level * 100).rounded())) : nil
    self.charging = charging
  }

  /// A simulator and a Mac without battery know nothing.
  var isKnown: Bool { percent != nil || charging != .unknown }

  var details: [String: String] {
    var details = ["charging": charging.rawValue]
    details["level"] = percent.map(String.init)
    return details
  }
}

/// Whether there is a network, and which.
struct Connectivity: Sendable, Equatable {
  enum Status: String, Sendable, CaseIterable {
    case satisfied, unsatisfied
    case requiresConnection = "requires_connection"
  }

  enum Transport: String, Sendable, CaseIterable {
    case wifi, cellular, wired, loopback, other, none
  }

  var status: Status
  var transport: Transport
  var isExpensive = false
  var isConstrained = false
  /// Why there is none, if the system says so.
  var reason: String?

  var details: [String: String] {
    var details = [
      "status": status.rawValue, "transport": transport.rawValue, "isExpensive": String(isExpensive),
      "isConstrained": String(isConstrained),
    ]
    details["reason"] = reason
    return details
  }
}

/// What the system holds back at present.
struct PowerState: Sendable, Equatable {
  var lowPowerMode: Bool?
  var thermalState: String?

  /// Any thread; a few microseconds.
  static var current: PowerState {
    #if canImport(Darwin)
    let process = ProcessInfo.processInfo
    return PowerState(lowPowerMode: process.isLowPowerModeEnabled, thermalState: name(process.thermalState))
    #else
    return PowerState()
    #endif
  }

  #if canImport(Darwin)
  private static func name(_ state: ProcessInfo.ThermalState) -> String? {
    switch state {
    case .nominal: "nominal"
    case .fair: "fair"
    case .serious: "serious"
    case .critical: "critical"
    @unknown default: nil
    }
  }
  #endif

  var details: [String: String] {
    var details: [String: String] = [:]
    details["lowPowerMode"] = lowPowerMode.map { String($0) }
    details["thermalState"] = thermalState
    return details
  }
}
