import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Protocol classes that stand for a configuration: of the protocol, Foundation makes instances by class and tells them
/// nothing of the session, so the class is what carries the configuration to the load.
///
/// Configurations that make no difference share a class. Classes cannot be given back, so there is a limit. Any thread.
final class ConfiguredClasses: Sendable {
  static let shared = ConfiguredClasses()
  static let mostClasses = 32

  // Unchecked, because configurations are not Sendable: these are copies that nobody changes.
  private struct State: @unchecked Sendable {
    var classes: [ForwardingKey: AutoMobileURLProtocol.Type] = [:]
    var configurations: [ObjectIdentifier: URLSessionConfiguration] = [:]
    var next: any SlotName.Type = FirstSlot.self
  }
  private let state = Locked(State())

  /// The class for a configuration; once there are too many, the one that assumes the default configuration.
  func protocolClass(for configuration: URLSessionConfiguration) -> AutoMobileURLProtocol.Type {
    guard let copy = configuration.copy() as? URLSessionConfiguration else { return AutoMobileURLProtocol.self }
    copy.protocolClasses = ForwardingKey.others(in: configuration)
    let key = ForwardingKey(copy)
    return state.withLock { state in
      if let known = state.classes[key] { return known }
      guard state.classes.count < Self.mostClasses else { return AutoMobileURLProtocol.self }
      let made = state.next.protocolClass
      state.next = state.next.following
      state.classes[key] = made
      state.configurations[ObjectIdentifier(made)] = copy
      return made
    }
  }

  /// What a class stands for; nil for the one that stands for none.
  func configuration(of type: AnyClass) -> URLSessionConfiguration? {
    state.withLock { $0.configurations[ObjectIdentifier(type)] }
  }
}

/// The protocol for one configuration. Each name makes another class of it, when the program runs.
private final class ConfiguredURLProtocol<Name: SlotName>: AutoMobileURLProtocol {}

/// Counts in types: a first one, and one following each.
private protocol SlotName {
  static var protocolClass: AutoMobileURLProtocol.Type { get }
  static var following: any SlotName.Type { get }
}

extension SlotName {
  static var protocolClass: AutoMobileURLProtocol.Type { ConfiguredURLProtocol<Self>.self }
  static var following: any SlotName.Type { SlotAfter<Self>.self }
}

private enum FirstSlot: SlotName {}
private enum SlotAfter<Before: SlotName>: SlotName {}
