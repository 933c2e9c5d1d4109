#if canImport(UIKit) && !os(watchOS)
import UIKit

/// Something that is masked, and that was touched: where in it, and on which of the views in it, is nobody's business. On a pad of keys
/// these would tell the code.
@MainActor struct MaskedTouch {
  /// The outermost view that is masked.
  let view: UIView
  /// It is one of those that were touched, from the innermost to what reacts: its index there.
  private let index: Int?

  private static let maximumAncestors = 64

  /// - Parameters:
  ///   - path: what was hit, and the views that it is in, up to the one that reacts.
  ///   - place: in the window; nil: not known.
  ///   - isOpaque: what reacts draws by itself what is in it.
  /// - Returns: nil where nothing is masked, or nothing but a thing that is one in itself: a field, a button or a label.
  init?(_ path: [UIView], at place: CGPoint?, isOpaque: Bool, _ rules: MaskingRules) {
    guard let hit = path.first, let element = path.last else { return nil }
    let around = rules.outermostMasked(around: hit)
    if let around, !Self.isOne(around, path) {
      view = around
      index = path.firstIndex { $0 === around }
      return
    }
    // SwiftUI's marks are behind what they mask, and not around it.
    guard let place, let window = hit.window,
      let mark = MaskMarks.shared.masked(
        at: place,
        where: { mark in
          if mark.window !== window || mark === around { return false }
          return isOpaque || !Self.isInside(mark, element)
        })
    else { return nil }
    view = mark
    index = nil
  }

  /// Where it is said to have been touched: in its middle, in the window.
  var place: ScreenPoint { Self.middle(of: view) }

  static func middle(of view: UIView) -> ScreenPoint {
    let bounds = view.bounds
    return ScreenPoint(view.convert(CGPoint(x: bounds.midX, y: bounds.midY), to: nil))
  }

  /// Those of the views that were touched of which it may be told what they are called.
  func told(of path: [UIView]) -> ArraySlice<UIView> { index.map { path[$0...] } ?? [] }

  /// Whether the view itself has been touched, or something in it that is no view's, rather than one that is in it.
  var isElement: Bool { index != nil }

  /// Of fields, where in them is where the cursor goes; of buttons and labels there is nothing to be told apart in them.
  private static func isOne(_ view: UIView, _ path: [UIView]) -> Bool {
    if view is UITextField || view is UITextView { return true }
    return (view is UIButton || view is UILabel) && path.contains { $0 === view }
  }

  private static func isInside(_ view: UIView, _ outer: UIView) -> Bool {
    var current: UIView? = view
    for _ in 0..<maximumAncestors {
      guard let view = current else { return false }
      if view === outer { return true }
      current = view.superview
    }
    return false
  }
}
#endif
