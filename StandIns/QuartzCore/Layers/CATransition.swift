import Foundation

/// Documentation: *CATransition*. iOS 2.0.
open class CATransition: CAAnimation {}

/// Documentation: *kCATransition*. iOS 2.0.
public let kCATransition = "transition"

extension CALayer {
  /// Documentation: *add(_:forKey:)*. iOS 2.0.
  ///
  /// A transition is known by one name, whatever was given.
  public func add(_ anim: CAAnimation, forKey key: String?) {
    let name = anim is CATransition ? kCATransition : key ?? UUID().uuidString
    attached[name] = anim
  }

  /// Documentation: *animation(forKey:)*. iOS 2.0.
  public func animation(forKey key: String) -> CAAnimation? { attached[key] }

  /// Documentation: *animationKeys()*. iOS 2.0.
  public func animationKeys() -> [String]? {
    if attached.isEmpty, animations.isEmpty { return nil }
    let keys = attached.keys.sorted() + (animations.isEmpty ? [] : ["simulated"])
    return keys
  }

  /// Documentation: *removeAnimation(forKey:)*. iOS 2.0.
  public func removeAnimation(forKey key: String) { attached[key] = nil }
}
