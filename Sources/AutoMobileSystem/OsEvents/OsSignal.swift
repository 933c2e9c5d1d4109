/// What the operating system says of the app or of the device.
enum OsSignal: Sendable, Equatable {
  case application(ApplicationStage)
  case battery(BatteryReading)
  /// 0 to 100.
  case brightness(percent: Int)
  case connectivity(Connectivity)

  /// Signals of one kind replace each other.
  enum Kind: Sendable, CaseIterable {
    case application, battery, brightness, connectivity
  }

  var kind: Kind {
    switch self {
    case .application: .application
    case .battery: .battery
    case .brightness: .brightness
    case .connectivity: .connectivity
    }
  }

  /// The event's.
  var state: String {
    switch self {
    case .application(let stage): stage.rawValue
    case .battery: "battery"
    case .brightness: "brightness"
    case .connectivity: "connectivity"
    }
  }

  /// The event's.
  func details(_ power: () -> PowerState) -> [String: String] {
    switch self {
    case .application: return power().details
    case .battery(let reading): return reading.details.merging(power().details) { own, _ in own }
    case .brightness(let percent): return ["level": String(percent)]
    case .connectivity(let connectivity): return connectivity.details
    }
  }
}

/// Where the app is.
enum ApplicationStage: String, Sendable, CaseIterable {
  case foreground, inactive, background, terminated
}

/// Tells of the operating system: an adapter for each part of it, a stand-in in tests.
protocol OsEventSource: AnyObject, Sendable {
  /// Calls `onSignal` from now on, on any thread. Once; returns at once.
  func start(_ onSignal: @escaping @Sendable (OsSignal) -> Void)

  /// Undoes that; a second time does nothing. What is under way may still arrive.
  func stop()
}
