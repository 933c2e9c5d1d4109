#if canImport(UIKit) && !os(watchOS)
import UIKit

extension CALayer {
  /// Whether it shows anything by itself: also what an image that is gone still shows while it fades.
  var showsContents: Bool {
    if contents != nil { return true }
    guard let keys = animationKeys() else { return false }
    return keys.contains { $0 == "contents" || (animation(forKey: $0) as? CAPropertyAnimation)?.keyPath == "contents" }
  }
}
#endif
