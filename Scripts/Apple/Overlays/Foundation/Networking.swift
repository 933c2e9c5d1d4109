// What Apple's URL loading system has, and that of Linux has not.

extension URLError: @retroactive Error {}
extension URLError {
  /// Documentation: *init(_:userInfo:)*. iOS 8.0.
  public init(_ code: URLError.Code, userInfo: [String: Any] = [:]) { fatalError() }
}

extension URLRequest {
  /// Documentation: *allowsExpensiveNetworkAccess*. iOS 13.0.
  public var allowsExpensiveNetworkAccess: Bool { get { false } set {} }
}

extension URLSessionConfiguration {
  /// Documentation: *waitsForConnectivity*. iOS 11.0.
  public var waitsForConnectivity: Bool { get { false } set {} }
  /// Documentation: *allowsExpensiveNetworkAccess*. iOS 13.0.
  public var allowsExpensiveNetworkAccess: Bool { get { false } set {} }
  /// Documentation: *allowsConstrainedNetworkAccess*. iOS 13.0.
  public var allowsConstrainedNetworkAccess: Bool { get { false } set {} }
  /// Documentation: *tlsMinimumSupportedProtocolVersion*. iOS 13.0.
  public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t { get { .TLSv12 } set {} }
  /// Documentation: *tlsMaximumSupportedProtocolVersion*. iOS 13.0.
  public var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t { get { .TLSv13 } set {} }
  /// Documentation: *multipathServiceType*. iOS 11.0.
  @available(macOS, unavailable)
  public var multipathServiceType: MultipathServiceType { get { .none } set {} }
  /// Documentation: *URLSessionConfiguration.MultipathServiceType*. iOS 11.0.
  public enum MultipathServiceType: Int, Sendable { case none, handover, interactive, aggregate }
}
/// Documentation: *tls_protocol_version_t*. iOS 13.0.
public enum tls_protocol_version_t: UInt16, Sendable {
  case TLSv10 = 0x0301, TLSv11, TLSv12, TLSv13
}

extension NSURLRequest.CachePolicy { public var rawValue: UInt { 0 } }
extension NSURLRequest.NetworkServiceType { public var rawValue: UInt { 0 } }
extension HTTPCookie.AcceptPolicy { public var rawValue: UInt { 0 } }
