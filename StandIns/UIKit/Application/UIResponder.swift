@_exported import Foundation

/// Documentation: *UIResponder*. iOS 2.0.
@MainActor open class UIResponder: NSObject {
  nonisolated public override init() {}

  /// Documentation: *next*. iOS 2.0.
  open var next: UIResponder? { nil }

  /// Documentation: *touchesBegan(_:with:)*. iOS 2.0.
  open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesBegan(touches, with: event) }
  /// Documentation: *touchesMoved(_:with:)*. iOS 2.0.
  open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesMoved(touches, with: event) }
  /// Documentation: *touchesEnded(_:with:)*. iOS 2.0.
  open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesEnded(touches, with: event) }
  /// Documentation: *touchesCancelled(_:with:)*. iOS 2.0.
  open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.touchesCancelled(touches, with: event)
  }
}
