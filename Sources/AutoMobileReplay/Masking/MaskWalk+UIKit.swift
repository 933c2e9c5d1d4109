#if canImport(UIKit) && !os(watchOS)
import AutoMobileSDK
import UIKit

/// What of a window nobody may see, found by looking at each of its views: in the tree as it is now, which is the tree that was
/// drawn last (``UIKitScreen/whenDrawn(_:)``), and at what of it animations still show.
@MainActor struct MaskWalk {
  private static let maximumDepth = 128
  private static let maximumViews = 20_000

  private(set) var places: [MaskedPlace] = []
  /// Something that is masked may be anywhere.
  private(set) var isUncertain = false

  private let offset: CGPoint

  /// - Parameters:
  ///   - offset: of the window in the picture, in points.
  ///   - notice: called with each view that may be seen.
  init(_ window: UIWindow, _ rules: MaskingRules, offset: CGPoint = .zero, notice: (UIView) -> Void = { _ in }) {
    self.offset = offset
    guard let root = MaskedPlace.Root(window) else {
      isUncertain = true
      return
    }
    walk(window, root, rules, notice)
    if places.count > ScreenMask.maximumAreas { isUncertain = true }
  }

  private struct Step {
    let view: UIView
    let outer: MaskingRules.State
    let clips: MaskedPlace.Clips
    let list: UIScrollView?
    let depth: Int
  }

  private mutating func walk(
    _ window: UIWindow, _ root: MaskedPlace.Root, _ rules: MaskingRules, _ notice: (UIView) -> Void
  ) {
    let whole = CGRect(origin: window.bounds.origin, size: window.bounds.size)
    var rest = [
      Step(view: window, outer: .plain, clips: .init(shown: whole, model: whole), list: nil, depth: 0)
    ]
    var count = 0
    while let step = rest.popLast() {
      count += 1
      guard count <= Self.maximumViews, step.depth <= Self.maximumDepth, places.count <= ScreenMask.maximumAreas else {
        // Nobody has looked at what is left.
        isUncertain = true
        return
      }
      let view = step.view
      guard Self.mayBeSeen(view.layer) else { continue }
      let state = rules.state(of: view, in: step.outer)
      if state == .masked || Self.showsWhatWas(view.layer) {
        let whole = add(view.layer, root, step)
        // Whatever is in it may stick out of it, unless it clips.
        if !view.clipsToBounds { addParts(of: view.layer, beyond: whole, root, step) }
        continue
      }
      notice(view)
      let subviews = view.subviews
      if state == .plain, rules.looksAtLayers { addLayers(of: view, subviews.count, root, rules, step) }
      if subviews.isEmpty { continue }
      let clips = view.clipsToBounds ? step.clips.inside(view.layer, in: root) : step.clips
      if clips.isEmpty { continue }
      let states = rules.states(inside: view, in: state)
      let list = view as? UIScrollView ?? step.list
      for (index, subview) in subviews.enumerated() {
        rest.append(
          Step(view: subview, outer: states?[index] ?? state, clips: clips, list: list, depth: step.depth + 1))
      }
    }
  }

  /// What is hidden now may still be shown by an animation, and what is not yet shown will be.
  private static func mayBeSeen(_ layer: CALayer) -> Bool {
    if !layer.isHidden, layer.opacity > 0 { return true }
    guard let shown = layer.presentation() else { return false }
    return !shown.isHidden && shown.opacity > 0
  }

  /// The display blends a picture of what was there with what is there: of that, neither tree knows anything. Core Animation runs
  /// each transition of a layer under this name, `UIView.transition(with:)` too.
  private static func showsWhatWas(_ layer: CALayer) -> Bool { layer.animation(forKey: kCATransition) != nil }

  @discardableResult
  private mutating func add(_ layer: CALayer, _ root: MaskedPlace.Root, _ step: Step) -> MaskedPlace? {
    let place = MaskedPlace(layer, in: root, step.clips, list: step.list, offset: offset)
    if let place { places.append(place) } else { isUncertain = true }
    return place
  }

  /// - Parameter whole: what is covered anyway.
  private mutating func addParts(
    of layer: CALayer, beyond whole: MaskedPlace?, _ root: MaskedPlace.Root, _ step: Step
  ) {
    // Layers, because not each is a view's.
    var rest = layer.sublayers ?? []
    var count = 0
    while let next = rest.popLast() {
      count += 1
      guard count <= Self.maximumViews, places.count <= ScreenMask.maximumAreas else {
        isUncertain = true
        return
      }
      guard Self.mayBeSeen(next) else { continue }
      if let place = MaskedPlace(next, in: root, step.clips, list: step.list, offset: offset) {
        if whole.map({ place.isWithin($0) }) != true { places.append(place) }
      } else {
        isUncertain = true
      }
      if !next.masksToBounds { rest.append(contentsOf: next.sublayers ?? []) }
    }
  }

  /// What SwiftUI and others show without a view of its own.
  private mutating func addLayers(
    of view: UIView, _ subviews: Int, _ root: MaskedPlace.Root, _ rules: MaskingRules, _ step: Step
  ) {
    guard let layers = view.layer.sublayers, layers.count > subviews else { return }
    var rest = layers
    var count = 0
    while let layer = rest.popLast() {
      // Views speak for themselves. A view may also draw for a layer that is not its own.
      if let owner = layer.delegate as? UIView, owner.layer === layer { continue }
      count += 1
      guard count <= ScreenMask.maximumAreas else {
        isUncertain = true
        return
      }
      guard Self.mayBeSeen(layer) else { continue }
      if rules.masks(layer) { add(layer, root, step) } else { rest.append(contentsOf: layer.sublayers ?? []) }
    }
  }
}
#endif
