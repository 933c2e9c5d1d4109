import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What makes two configurations different for the requests that are sent with them: equal keys share a session.
///
/// Storages count by identity: whoever keeps a key keeps its configuration, too.
struct ForwardingKey: Hashable {
  private let parts: [AnyHashable]

  init(_ configuration: URLSessionConfiguration) {
    func identity(_ object: AnyObject?) -> AnyHashable {
      object.map { AnyHashable(ObjectIdentifier($0)) } ?? AnyHashable(0)
    }
    func text(_ dictionary: [AnyHashable: Any]?) -> String {
      (dictionary ?? [:]).map { "\($0.key)\u{0}\($0.value)" }.ordered().joined(separator: "\u{0}")
    }
    var parts: [AnyHashable] = [
      identity(configuration.urlCache), identity(configuration.httpCookieStorage),
      identity(configuration.urlCredentialStorage),
      configuration.requestCachePolicy.rawValue, configuration.networkServiceType.rawValue,
      configuration.timeoutIntervalForRequest, configuration.timeoutIntervalForResource,
      configuration.allowsCellularAccess, configuration.httpShouldSetCookies,
      configuration.httpCookieAcceptPolicy.rawValue, configuration.httpMaximumConnectionsPerHost,
      text(configuration.httpAdditionalHeaders), text(configuration.connectionProxyDictionary),
      Self.others(in: configuration).map { ObjectIdentifier($0) },
    ]
    #if canImport(Darwin)
    parts += [
      configuration.waitsForConnectivity, configuration.allowsExpensiveNetworkAccess,
      configuration.allowsConstrainedNetworkAccess, configuration.tlsMinimumSupportedProtocolVersion.rawValue,
      configuration.tlsMaximumSupportedProtocolVersion.rawValue, configuration.shouldUseExtendedBackgroundIdleMode,
    ]
    #if os(iOS)
    parts.append(configuration.multipathServiceType.rawValue)
    #endif
    #endif
    self.parts = parts
  }

  /// The protocol classes that are not the SDK's.
  static func others(in configuration: URLSessionConfiguration) -> [AnyClass] {
    (configuration.protocolClasses ?? []).filter { !($0 is AutoMobileURLProtocol.Type) }
  }
}
