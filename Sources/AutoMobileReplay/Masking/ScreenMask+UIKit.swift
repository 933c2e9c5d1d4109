#if canImport(UIKit) && !os(watchOS)
import AutoMobileSDK
import UIKit

extension ScreenMask {
  private static let maximumDepth = 128
  private static let maximumViews = 20_000

  /// Of all that a window shows now, where animations have come to. `notice` is called with each view that may be seen.
  @MainActor init(_ window: UIWindow, _ rules: MaskingRules, notice: (UIView) -> Void = { _ in }) {
    self.init()
    guard let root = window.layer.presentation() else {
      isUncertain = true
      return
    }
    let whole = CGRect(origin: window.bounds.origin, size: window.bounds.size)
    var rest: [(view: UIView, outer: MaskingRules.State, clip: CGRect, depth: Int)] = [(window, .plain, whole, 0)]
    var count = 0
    while let (view, outer, clip, depth) = rest.popLast() {
      count += 1
      guard count <= Self.maximumViews, depth <= Self.maximumDepth else {
        // Nobody has looked at what is left.
        isUncertain = true
        return
      }
      if view.isHidden || view.alpha <= 0 { continue }
      let state = rules.state(of: view, in: outer)
      if state == .masked {
        // Whatever is in it may stick out of it, unless it clips.
        let parts = view.clipsToBounds ? [view] : [view] + Self.descendants(view)
        for part in parts { add(Self.area(part, root).map { $0.intersection(clip) }.map { $0.isNull ? .zero : $0 }) }
        continue
      }
      notice(view)
      if view.subviews.isEmpty { continue }
      var inner = clip
      if view.clipsToBounds {
        // Without its place, nothing is cut off.
        inner = Self.area(view, root).map { clip.intersection($0) } ?? clip
        if inner.isNull { continue }
      }
      let states = rules.states(inside: view, in: state)
      for (index, subview) in view.subviews.enumerated() {
        rest.append((subview, states?[index] ?? state, inner, depth + 1))
      }
    }
  }

  /// Where a view is on the display, in the window's coordinates; nil when that is not known.
  @MainActor private static func area(_ view: UIView, _ root: CALayer) -> CGRect? {
    guard let shown = view.layer.presentation() else { return nil }
    let area = shown.convert(shown.bounds, to: root)
    return area.isFinite ? area : nil
  }

  @MainActor private static func descendants(_ view: UIView) -> [UIView] {
    var all: [UIView] = []
    var rest = view.subviews
    while let next = rest.popLast(), all.count < maximumAreas {
      if next.isHidden { continue }
      all.append(next)
      if !next.clipsToBounds { rest.append(contentsOf: next.subviews) }
    }
    return all
  }
}
#endif
