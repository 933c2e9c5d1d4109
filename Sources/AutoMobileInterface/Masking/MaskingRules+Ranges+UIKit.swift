#if canImport(UIKit) && !os(watchOS)
import UIKit

/// SwiftUI has no views that could be marked, and none around what it shows. So what may be seen stands between two marks,
/// one behind it and one in front, each of its size and in the same superview.
extension MaskingRules {
  /// SwiftUI puts a view of ours into one or two of its own.
  private static let wrappings = 2
  /// Sizes are rounded to pixels, in points.
  private static let tolerance: CGFloat = 1

  /// What holds from outside for each view in a view, from the back to the front; nil: the same for all. A mark without
  /// the other, or of which nobody knows where it is, unmasks nothing.
  @MainActor package func states(inside view: UIView, in outer: State) -> [State]? {
    guard outer == .plain, MaskMarks.shared.hasRanges else { return nil }
    let root = view.layer
    let subviews = view.subviews
    var begins: [(index: Int, area: CGRect)] = []
    var states: [State]?
    for (index, subview) in subviews.enumerated() {
      guard let (mark, area) = Self.edge(in: subview, root) else { continue }
      if mark == .unmasksFromHere {
        begins.append((index, area))
      } else if let last = begins.popLast(), Self.isInside(last.area, area), Self.isInside(area, last.area) {
        for between in last.index + 1..<max(last.index + 1, index) {
          guard let place = Self.area(subviews[between], root), Self.isInside(place, area) else { continue }
          states = states ?? Array(repeating: outer, count: subviews.count)
          states?[between] = .unmasked
        }
      }
    }
    return states
  }

  @MainActor private static func edge(in view: UIView, _ root: CALayer) -> (mark: Mark, area: CGRect)? {
    var current = view
    for _ in 0...wrappings {
      if let mark = MaskMarks.shared.mark(of: current), mark == .unmasksFromHere || mark == .unmasksToHere {
        return area(current, root).map { (mark, $0) }
      }
      guard current.subviews.count == 1, let only = current.subviews.first else { return nil }
      current = only
    }
    return nil
  }

  @MainActor private static func area(_ view: UIView, _ root: CALayer) -> CGRect? {
    let path = LayerPath(to: view.layer)
    guard let shown = path.shown(view.layer), let root = path.isAnimated ? root.presentation() : root
    else { return nil }
    let area = shown.convert(shown.bounds, to: root)
    let numbers = [area.origin.x, area.origin.y, area.size.width, area.size.height]
    return numbers.allSatisfy(\.isFinite) ? area : nil
  }

  private static func isInside(_ area: CGRect, _ other: CGRect) -> Bool {
    area.minX >= other.minX - tolerance && area.maxX <= other.maxX + tolerance && area.minY >= other.minY - tolerance
      && area.maxY <= other.maxY + tolerance
  }
}
#endif
