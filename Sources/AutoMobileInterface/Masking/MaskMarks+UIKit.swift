#if canImport(UIKit) && !os(watchOS)
import UIKit

extension MaskMarks {
  /// Whether a view that the app has masked is where this one is, behind it or in front: marks of SwiftUI are behind.
  func cover(_ view: UIView) -> Bool {
    let marked = objects(with: .mask)
    guard !marked.isEmpty, let window = view.window else { return false }
    let place = Self.place(of: view, in: window)
    return marked.contains { object in
      guard let other = object as? UIView, other.window === window, !other.isHidden else { return false }
      return Self.place(of: other, in: window).intersects(place)
    }
  }

  private static func place(of view: UIView, in window: UIWindow) -> CGRect {
    CGRect(origin: view.convert(view.bounds.origin, to: window), size: view.bounds.size)
  }
}
#endif
