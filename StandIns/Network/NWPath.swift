/// Documentation: *NWPath*. iOS 12.0.
public struct NWPath: Equatable, Sendable {
  /// Documentation: *NWPath.Status*. iOS 12.0.
  public enum Status: Sendable {
    case satisfied
    case unsatisfied
    case requiresConnection
  }

  /// Documentation: *NWPath.UnsatisfiedReason*. iOS 14.2.
  public enum UnsatisfiedReason: Sendable {
    case notAvailable
    case cellularDenied
    case wifiDenied
    case localNetworkDenied
    /// Documentation: *NWPath.UnsatisfiedReason.vpnInactive*. iOS 17.0.
    case vpnInactive
  }

  /// Documentation: *status*. iOS 12.0.
  public internal(set) var status: Status

  /// Documentation: *unsatisfiedReason*. iOS 14.2.
  public internal(set) var unsatisfiedReason: UnsatisfiedReason

  /// Documentation: *isExpensive*. iOS 12.0.
  public internal(set) var isExpensive: Bool

  /// Documentation: *isConstrained*. iOS 13.0.
  public internal(set) var isConstrained: Bool

  var interfaces: [NWInterface.InterfaceType]

  /// Documentation: *usesInterfaceType(_:)*. iOS 12.0.
  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { interfaces.contains(type) }
}

/// Documentation: *NWInterface*. iOS 12.0.
public struct NWInterface: Hashable, Sendable {
  /// Documentation: *NWInterface.InterfaceType*. iOS 12.0.
  public enum InterfaceType: Sendable {
    case other
    case wifi
    case cellular
    case wiredEthernet
    case loopback
  }
}
