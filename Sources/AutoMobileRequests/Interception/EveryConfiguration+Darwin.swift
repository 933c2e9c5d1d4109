#if canImport(AutoMobileErrorBarrier)
import AutoMobileRecorder
import AutoMobileErrorBarrier
import Foundation

/// Puts the protocol into every configuration that is asked for its protocol classes, as a session does when it is made.
enum EveryConfiguration {
  private static let getter = #selector(getter: URLSessionConfiguration.protocolClasses)
  /// Configurations are of a private class: the one that there are instances of.
  private static var type: AnyClass? { object_getClass(URLSessionConfiguration.default) }

  /// A second time does nothing.
  ///
  /// - Returns: whether it is in place.
  @discardableResult
  static func cover() -> Bool {
    guard let type else { return false }
    return AMReplaceGetter(type, getter) { object, original in
      guard let configuration = object as? URLSessionConfiguration else { return original }
      return ErrorBarrier.run(.urlProtocol, or: original) { classes(of: configuration, original as? [AnyClass]) }
    }
  }

  /// Puts the original getter back. Should somebody have replaced it after us, ours stays, and changes nothing.
  static func uncover() {
    guard let type else { return }
    AMRestoreGetter(type, getter)
  }

  /// The class for this configuration goes first. Left alone are background sessions, which load in another process, and
  /// those that want no protocol at all: the SDK's own.
  private static func classes(of configuration: URLSessionConfiguration, _ original: [AnyClass]?) -> Any? {
    let others = (original ?? []).filter { !($0 is AutoMobileURLProtocol.Type) }
    guard configuration.identifier == nil, !others.isEmpty else { return original }
    return [ConfiguredClasses.shared.protocolClass(for: configuration)] + others
  }
}
#endif
