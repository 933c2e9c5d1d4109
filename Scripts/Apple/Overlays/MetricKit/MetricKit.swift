// MetricKit as far as the subscriber needs it.
@_exported import Foundation

/// Documentation: *MXMetricManager*. iOS 13.0, macOS 12.0.
@available(iOS 13.0, macOS 12.0, *)
open class MXMetricManager: NSObject {
  /// Documentation: *shared*. iOS 13.0.
  open class var shared: MXMetricManager { MXMetricManager() }
  /// Documentation: *pastDiagnosticPayloads*. iOS 14.0, macOS 12.0.
  open var pastDiagnosticPayloads: [MXDiagnosticPayload] { [] }
  /// Documentation: *add(_:)*. iOS 13.0.
  open func add(_ subscriber: any MXMetricManagerSubscriber) {}
  /// Documentation: *remove(_:)*. iOS 13.0.
  open func remove(_ subscriber: any MXMetricManagerSubscriber) {}
}

/// Documentation: *MXMetricManagerSubscriber*. iOS 13.0.
@objc public protocol MXMetricManagerSubscriber: NSObjectProtocol {
  /// Documentation: *didReceive(_:)*. iOS 14.0, macOS 12.0.
  @objc optional func didReceive(_ payloads: [MXDiagnosticPayload])
}

/// Documentation: *MXDiagnosticPayload*. iOS 14.0, macOS 12.0.
open class MXDiagnosticPayload: NSObject {
  /// Documentation: *jsonRepresentation()*. iOS 14.0.
  open func jsonRepresentation() -> Data { Data() }
}
