#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import UIKit

/// Where something that is masked may be seen, in the picture's coordinates: where animations have come to, and where they lead.
@MainActor struct MaskedPlace {
  /// What it was, as long as it lives: another object may be where it has been.
  private(set) weak var layer: CALayer?
  /// What is drawn now.
  private(set) var shown: CGRect
  /// What will be.
  private let model: CGRect
  /// It goes with what this one scrolls.
  private weak var list: UIScrollView?
  private let inList: CGRect

  /// - Parameters:
  ///   - path: of the layer.
  ///   - clips: of what is around it, where that is shown and where it will be.
  ///   - offset: from the window's coordinates to the picture's.
  /// - Returns: nil when it may be anywhere.
  init?(_ layer: CALayer, _ path: LayerPath, in root: Root, _ clips: Clips, list: UIScrollView?, offset: CGPoint) {
    guard path.isKnown else {
      self.init(around: layer, clips, offset: offset)
      return
    }
    guard let presented = path.shown(layer), let top = root.shown(path) else { return nil }
    let shown = presented.convert(presented.bounds, to: top)
    let model = path.isAnimated ? layer.convert(layer.bounds, to: root.layer) : shown
    guard shown.isFinite, model.isFinite else { return nil }
    func place(_ area: CGRect, _ clip: CGRect) -> CGRect {
      let area = area.intersection(clip)
      return area.isNull ? .zero : area.offsetBy(dx: offset.x, dy: offset.y)
    }
    self.layer = layer
    self.shown = place(shown, clips.shown)
    self.model = model == shown && clips.model == clips.shown ? self.shown : place(model, clips.model)
    self.list = list
    inList = list.map { layer.convert(layer.bounds, to: $0.layer) } ?? .zero
  }

  /// All that can be seen around a layer: what is in it, or copies of that, may be anywhere there.
  init(around layer: CALayer, _ clips: Clips, offset: CGPoint) {
    self.layer = layer
    shown = clips.shown.offsetBy(dx: offset.x, dy: offset.y)
    model = clips.model.offsetBy(dx: offset.x, dy: offset.y)
    list = nil
    inList = .zero
  }

  /// Where the same thing was a moment before: between the two, it has been drawn somewhere on the way.
  mutating func passed(_ before: MaskedPlace) {
    guard !before.shown.isEmpty else { return }
    shown = shown.isEmpty ? before.shown : shown.union(before.shown)
  }

  /// Covering that covers this, now and where both lead.
  func isWithin(_ whole: MaskedPlace) -> Bool {
    func isIn(_ area: CGRect, _ other: CGRect) -> Bool { area.isEmpty || other.contains(area) }
    return isIn(shown, whole.shown) && isIn(model, whole.model)
  }

  func cover(in mask: inout ScreenMask) {
    mask.add(shown)
    if model != shown { mask.add(model) }
  }

  /// It is gone, or it may be seen now: where it was, and where that has been scrolled to since.
  func coverRest(in mask: inout ScreenMask, _ offset: (UIWindow) -> CGPoint?) {
    cover(in: &mask)
    guard let list, let window = list.window, let offset = offset(window) else { return }
    let area = list.layer.convert(inList, to: window.layer)
    mask.add(area.isFinite ? area.offsetBy(dx: offset.x, dy: offset.y) : nil)
  }

  /// The topmost layer of a window, and its twin on the display.
  @MainActor struct Root {
    let layer: CALayer
    private let presented: CALayer?

    init(_ window: UIWindow) {
      layer = window.layer
      presented = ViewTypes.facts(layer).canBeCopied ? layer.presentation() : nil
    }

    /// In the tree in which what is shown of a layer is.
    func shown(_ path: LayerPath) -> CALayer? { path.isAnimated ? presented : layer }
  }

  /// What is around a view cuts off what sticks out of it.
  struct Clips: Equatable {
    var shown: CGRect
    var model: CGRect

    /// Nothing can be seen any more.
    var isEmpty: Bool { shown.isEmpty && model.isEmpty }

    /// Without its place, nothing is cut off; and of what is shown, nothing before it is shown to clip.
    @MainActor func inside(_ layer: CALayer, _ path: LayerPath, in root: Root) -> Clips {
      guard let presented = path.shown(layer), let top = root.shown(path) else { return self }
      var clips = self
      let shownArea = presented.convert(presented.bounds, to: top)
      let modelArea = path.isAnimated ? layer.convert(layer.bounds, to: root.layer) : shownArea
      if presented.masksToBounds, shownArea.isFinite { clips.shown = shown.intersectionOrNothing(shownArea) }
      if modelArea.isFinite { clips.model = model.intersectionOrNothing(modelArea) }
      return clips
    }
  }
}

extension CGRect {
  fileprivate func intersectionOrNothing(_ other: CGRect) -> CGRect {
    let area = intersection(other)
    return area.isNull ? .zero : area
  }
}
#endif
