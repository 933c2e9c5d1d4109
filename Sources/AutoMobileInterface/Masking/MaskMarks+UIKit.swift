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

  /// The largest of the views that the app has masked and that are at a place, in whatever window that is.
  ///
  /// - Parameter isMeant: whether one counts.
  func masked(at place: CGPoint, where isMeant: (UIView) -> Bool = { _ in true }) -> UIView? {
    var largest: (view: UIView, area: CGFloat)?
    for object in objects(with: .mask) {
      guard let view = object as? UIView, let window = view.window, !view.isHidden, isMeant(view) else { continue }
      let frame = Self.place(of: view, in: window)
      guard frame.contains(place), frame.width * frame.height > largest?.area ?? -1 else { continue }
      largest = (view, frame.width * frame.height)
    }
    return largest?.view
  }

  private static func place(of view: UIView, in window: UIWindow) -> CGRect {
    CGRect(origin: view.convert(view.bounds.origin, to: window), size: view.bounds.size)
  }
}
#endif
