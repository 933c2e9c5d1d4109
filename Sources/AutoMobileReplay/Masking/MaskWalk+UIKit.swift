#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import UIKit

/// What of a window nobody may see, found by looking at each of its views: in the tree as it is now, which is the tree that was
/// drawn last (``UIKitScreen/whenDrawn(_:)``), and at what of it animations still show.
@MainActor struct MaskWalk {
  private static let maximumDepth = 128
  private static let maximumViews = 20_000
  /// The main thread is not held up for longer, in nanoseconds: what nobody has looked at by then is in no picture.
  static let budget: UInt64 = 100_000_000

  private(set) var places: [MaskedPlace] = []
  /// What shows things that are behind it elsewhere than they are.
  private(set) var glass: [MaskedPlace] = []
  /// Something that is masked may be anywhere.
  private(set) var isUncertain = false
  /// How far lists have been scrolled, as it is shown.
  private(set) var scrolled: [ObjectIdentifier: CGPoint] = [:]
  /// An animation goes on that may move what is masked, or show it: also while the screen is drawn.
  private(set) var isMoving = false

  private let deadline: UInt64
  private let uptime: @MainActor () -> UInt64
  /// Views and layers until now.
  private var looked = 0
  /// Of the places those in sight. The others are only kept for the case that they come into it.
  private var seen = 0

  /// - Parameters:
  ///   - offset: of the window in the picture, in points.
  ///   - deadline: when it gives up, by `uptime`.
  ///   - notice: called with each view that may be seen.
  init(
    _ window: UIWindow, _ rules: MaskingRules, offset: CGPoint = .zero, until deadline: UInt64 = .max,
    uptime: @escaping @MainActor () -> UInt64 = { 0 }, notice: (UIView) -> Void = { _ in }
  ) {
    self.deadline = deadline
    self.uptime = uptime
    walk(window, MaskedPlace.Root(window, offset: offset), rules, notice)
    if seen > ScreenMask.maximumAreas { isUncertain = true }
  }

  private struct Step {
    let view: UIView
    let outer: MaskingRules.State
    /// Of what it is in.
    let path: LayerPath
    let clips: MaskedPlace.Clips
    let list: UIScrollView?
    let depth: Int
  }

  private mutating func walk(
    _ window: UIWindow, _ root: MaskedPlace.Root, _ rules: MaskingRules, _ notice: (UIView) -> Void
  ) {
    let whole = CGRect(origin: window.bounds.origin, size: window.bounds.size)
    var rest = [
      Step(
        view: window, outer: .plain, path: LayerPath(), clips: .init(shown: whole, model: whole), list: nil, depth: 0)
    ]
    while let step = rest.popLast() {
      if isTooMuch() { return }
      guard step.depth <= Self.maximumDepth else {
        isUncertain = true
        return
      }
      let (view, layer) = (step.view, step.view.layer)
      guard mayBeSeen(layer, in: step.path) else { continue }
      let layers = layer.sublayers ?? []
      let state = rules.state(of: view, layers: layers, in: step.outer)
      if state == .masked || Self.showsWhatWas(layer) || isCutOut(layer, step.path, rules) {
        let path = noted(layer, in: step.path)
        let whole = add(layer, path, root, step)
        // Whatever is in it may stick out of it, unless it clips.
        if !Self.clips(layer, path) { addParts(of: layer, path, beyond: whole, root, step) }
        continue
      }
      let facts = ViewTypes.facts(layer)
      if facts.isReplicator, holdsMasked([layer], step.path, rules) {
        keep(MaskedPlace(around: layer, in: root, step.clips))
        continue
      }
      if facts.isGlass, GlassLayers.bends(layer, facts) { addGlass(layer, step.path, root, step) }
      notice(view)
      let subviews = view.subviews
      if layers.isEmpty, subviews.isEmpty { continue }
      let path = noted(layer, in: step.path)
      let clips = view.clipsToBounds ? step.clips.inside(layer, path, in: root) : step.clips
      if clips.isEmpty { continue }
      var list = step.list
      if let own = view as? UIScrollView {
        list = own
        scrolled[ObjectIdentifier(own)] = path.shown(layer)?.bounds.origin
      }
      if !Self.areOnly(layers, of: subviews) {
        for stray in addLayers(layers, path, of: view, state, root, rules, step) {
          rest.append(
            Step(
              view: stray.view, outer: state, path: stray.path, clips: clips, list: list, depth: step.depth + 1))
        }
      }
      if subviews.isEmpty { continue }
      let states = rules.states(inside: view, in: state)
      for (index, subview) in subviews.enumerated() {
        rest.append(
          Step(
            view: subview, outer: states?[index] ?? state, path: path, clips: clips, list: list, depth: step.depth + 1))
      }
    }
  }

  /// Whether it has looked at so much, or for so long, that nobody looks at what is left.
  private mutating func isTooMuch() -> Bool {
    looked += 1
    let isTooMuch =
      looked > Self.maximumViews || seen > ScreenMask.maximumAreas || looked & 63 == 1 && uptime() > deadline
    if isTooMuch { isUncertain = true }
    return isTooMuch
  }

  /// The path to it, and whether anything is animated there.
  private mutating func noted(_ layer: CALayer, in outer: LayerPath) -> LayerPath {
    let path = outer.adding(layer)
    if path.isAnimated { isMoving = true }
    return path
  }

  /// What is hidden now may still be shown by an animation, and what is not yet shown will be.
  private mutating func mayBeSeen(_ layer: CALayer, in outer: LayerPath) -> Bool {
    if !layer.isHidden, layer.opacity > 0 { return true }
    let path = noted(layer, in: outer)
    if !path.isKnown { return true }
    guard path.isAnimated, let shown = path.shown(layer) else { return false }
    return !shown.isHidden && shown.opacity > 0
  }

  /// The display blends a picture of what was there with what is there: of that, neither tree knows anything. Core Animation runs
  /// each transition of a layer under this name, `UIView.transition(with:)` too.
  private static func showsWhatWas(_ layer: CALayer) -> Bool { layer.animation(forKey: kCATransition) != nil }

  /// Whether nothing sticks out of it, neither where animations have come to nor where they lead.
  private static func clips(_ layer: CALayer, _ path: LayerPath) -> Bool {
    layer.masksToBounds && !(layer is CATransformLayer) && path.isKnown && path.shown(layer)?.masksToBounds != false
  }

  @discardableResult
  private mutating func add(
    _ layer: CALayer, _ path: LayerPath, _ root: MaskedPlace.Root, _ step: Step
  ) -> MaskedPlace? {
    let place = MaskedPlace(layer, path, in: root, step.clips, list: step.list)
    if let place { keep(place) } else { isUncertain = true }
    return place
  }

  private mutating func keep(_ place: MaskedPlace) {
    places.append(place)
    if !place.isEmpty { seen += 1 }
  }

  /// - Parameter outer: of what the layer is in.
  private mutating func addGlass(_ layer: CALayer, _ outer: LayerPath, _ root: MaskedPlace.Root, _ step: Step) {
    let place = MaskedPlace(layer, noted(layer, in: outer), in: root, step.clips, list: nil)
    if let place { glass.append(place) } else { isUncertain = true }
  }

  /// - Parameter whole: what is covered anyway.
  private mutating func addParts(
    of layer: CALayer, _ path: LayerPath, beyond whole: MaskedPlace?, _ root: MaskedPlace.Root, _ step: Step
  ) {
    // Layers, because not each is a view's.
    var rest = (layer.sublayers ?? []).map { ($0, path) }
    while let (next, outer) = rest.popLast() {
      if isTooMuch() { return }
      guard mayBeSeen(next, in: outer) else { continue }
      let path = noted(next, in: outer)
      if let place = MaskedPlace(next, path, in: root, step.clips, list: step.list) {
        if whole.map({ place.isWithin($0) }) != true { keep(place) }
      } else {
        isUncertain = true
      }
      if !Self.clips(next, path) { rest += (next.sublayers ?? []).map { ($0, path) } }
    }
  }

  // MARK: Layers that are no subview's

  private static func areOnly(_ layers: [CALayer], of subviews: [UIView]) -> Bool {
    layers.count == subviews.count && !zip(layers, subviews).contains { $0 !== $1.layer }
  }

  /// What SwiftUI, cameras and others show without a view of its own.
  ///
  /// - Returns: views that are on the screen by their layers alone.
  private mutating func addLayers(
    _ layers: [CALayer], _ path: LayerPath, of view: UIView, _ state: MaskingRules.State, _ root: MaskedPlace.Root,
    _ rules: MaskingRules, _ step: Step
  ) -> [(view: UIView, path: LayerPath)] {
    var strays: [(view: UIView, path: LayerPath)] = []
    var rest = layers.map { ($0, path) }
    while let (layer, outer) = rest.popLast() {
      // Views speak for themselves. A view may also draw for a layer that is not its own.
      if let owner = layer.delegate as? UIView, owner.layer === layer {
        if owner.superview !== view { strays.append((owner, outer)) }
        continue
      }
      if isTooMuch() { return strays }
      guard mayBeSeen(layer, in: outer) else { continue }
      let isMasked = state == .plain && (rules.masks(layer) || isCutOut(layer, outer, rules))
      if isMasked || Self.showsWhatWas(layer) {
        let path = noted(layer, in: outer)
        let whole = add(layer, path, root, step)
        if !Self.clips(layer, path) { addParts(of: layer, path, beyond: whole, root, step) }
      } else if ViewTypes.facts(layer).isReplicator, holdsMasked([layer], outer, rules) {
        keep(MaskedPlace(around: layer, in: root, step.clips))
      } else {
        let facts = ViewTypes.facts(layer)
        if GlassLayers.bends(layer, facts) { addGlass(layer, outer, root, step) }
        guard let sublayers = layer.sublayers else { continue }
        let path = noted(layer, in: outer)
        rest += sublayers.map { ($0, path) }
      }
    }
    return strays
  }

  /// Whether it has the shape of something that is masked: a text as a mask can be read.
  ///
  /// - Parameter outer: of what the layer is in.
  private mutating func isCutOut(_ layer: CALayer, _ outer: LayerPath, _ rules: MaskingRules) -> Bool {
    guard let mask = layer.mask else { return false }
    return holdsMasked([mask], noted(layer, in: outer), rules)
  }

  /// Whether anything in them is masked, or may be.
  private mutating func holdsMasked(_ layers: [CALayer], _ outer: LayerPath, _ rules: MaskingRules) -> Bool {
    var rest = layers.map { ($0, outer) }
    while let (layer, outer) = rest.popLast() {
      if isTooMuch() { return true }
      guard mayBeSeen(layer, in: outer) else { continue }
      if let owner = layer.delegate as? UIView, owner.layer === layer {
        if rules.state(of: owner, in: .plain) == .masked { return true }
      } else if rules.masks(layer) {
        return true
      }
      guard let sublayers = layer.sublayers else { continue }
      let path = noted(layer, in: outer)
      rest += sublayers.map { ($0, path) }
    }
    return false
  }
}
#endif
