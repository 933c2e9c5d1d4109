import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The protocol for sessions that were not told by hand: takes requests only while the interception is active.
///
/// A class of its own, because a session keeps the classes that it was made with.
final class RegisteredURLProtocol: AutoMobileURLProtocol {
  override class var isOn: Bool { NetworkInterception.shared.isActive }

  /// Covers `URLSession.shared`.
  static func register() {
    #if canImport(FoundationNetworking)
    // There the shared session looks at what was registered when it was made, and its configuration can be changed later.
    // Made first, because Foundation then registers its own classes, and the last one registered is asked first.
    let configuration = URLSession.shared.configuration
    let others = (configuration.protocolClasses ?? []).filter { $0 != RegisteredURLProtocol.self }
    configuration.protocolClasses = [RegisteredURLProtocol.self] + others
    #endif
    _ = URLProtocol.registerClass(RegisteredURLProtocol.self)
  }

  static func unregister() {
    URLProtocol.unregisterClass(RegisteredURLProtocol.self)
    #if canImport(FoundationNetworking)
    let configuration = URLSession.shared.configuration
    configuration.protocolClasses = configuration.protocolClasses?.filter { $0 != RegisteredURLProtocol.self }
    #endif
  }
}
