#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import UIKit

/// Where something that is masked may be seen, in the picture's coordinates: where animations have come to, and where they lead.
@MainActor struct MaskedPlace {
  /// What it was, as long as it lives: another object may be where it has been.
  private(set) weak var layer: CALayer?
  private(set) weak var window: UIWindow?
  /// Of the window in the picture.
  private let offset: CGPoint
  /// Where it is shown, with what is cut off.
  private var whole: CGRect
  /// What is around it lets this much be seen.
  private var clip: CGRect
  /// What will be drawn.
  private let model: CGRect
  /// It goes with what this one scrolls.
  private(set) weak var list: UIScrollView?
  private let inList: CGRect

  /// - Parameters:
  ///   - path: of the layer.
  ///   - clips: of what is around it, where that is shown and where it will be.
  /// - Returns: nil when it may be anywhere.
  init?(_ layer: CALayer, _ path: LayerPath, in root: Root, _ clips: Clips, list: UIScrollView?) {
    guard path.isPlaceKnown else {
      self = MaskedPlace(around: layer, in: root, clips)
      return
    }
    guard let presented = path.shown(layer), let top = root.shown(path) else { return nil }
    guard let area = LayerExtent.area(of: layer, as: presented),
      let modelArea = path.isAnimated ? LayerExtent.area(of: layer, as: layer) : area
    else {
      self = MaskedPlace(around: layer, in: root, clips)
      return
    }
    let shown = LayerExtent.place(area, of: presented, path, in: top, path.shown)
    let model = path.isAnimated ? LayerExtent.place(modelArea, of: layer, path, in: root.layer) { $0 } : shown
    guard shown.isFinite, model.isFinite else { return nil }
    self.layer = layer
    window = root.window
    offset = root.offset
    whole = shown.offsetBy(dx: offset.x, dy: offset.y)
    clip = clips.shown.offsetBy(dx: offset.x, dy: offset.y)
    let modelClip = clips.model.offsetBy(dx: offset.x, dy: offset.y)
    self.model = model.offsetBy(dx: offset.x, dy: offset.y).intersectionOrNothing(modelClip)
    self.list = list
    inList = list.map { LayerExtent.place(modelArea, of: layer, path, in: $0.layer) { $0 } } ?? .zero
  }

  /// All that can be seen around a layer: what is in it, or copies of that, may be anywhere there.
  init(around layer: CALayer, in root: Root, _ clips: Clips) {
    self.layer = layer
    window = root.window
    offset = root.offset
    clip = clips.shown.offsetBy(dx: offset.x, dy: offset.y)
    whole = clip
    model = clips.model.offsetBy(dx: offset.x, dy: offset.y)
    list = nil
    inList = .zero
  }

  /// What is drawn now.
  private var shown: CGRect { whole.intersectionOrNothing(clip) }

  /// Where it is, and where it will be.
  var extent: CGRect {
    let shown = shown
    return shown.isEmpty ? model : model.isEmpty ? shown : shown.union(model)
  }

  /// Nothing of it can be seen: all of it is cut off.
  var isEmpty: Bool { model.isEmpty && shown.isEmpty }

  /// Where the same thing was a moment before: between the two, it has been drawn somewhere on the way. That may be in sight also
  /// where both ends of it are cut off.
  mutating func passed(_ before: MaskedPlace) {
    whole = whole.union(before.whole)
    clip = clip.isEmpty ? before.clip : before.clip.isEmpty ? clip : clip.union(before.clip)
  }

  /// What it is in was scrolled meanwhile: so it may have been seen before that, too.
  mutating func wasScrolled(by move: CGPoint) { whole = whole.union(whole.offsetBy(dx: move.x, dy: move.y)) }

  /// Covering that covers this, now and where both lead.
  func isWithin(_ whole: MaskedPlace) -> Bool {
    func isIn(_ area: CGRect, _ other: CGRect) -> Bool { area.isEmpty || other.contains(area) }
    return isIn(shown, whole.shown) && isIn(model, whole.model)
  }

  func cover(in mask: inout ScreenMask) {
    let shown = shown
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

  /// Of an earlier moment, in the picture of now: its window may be elsewhere.
  func moved(_ offset: (UIWindow) -> CGPoint?) -> MaskedPlace {
    guard let window, let now = offset(window), now != self.offset else { return self }
    return MaskedPlace(self, movedBy: CGPoint(x: now.x - self.offset.x, y: now.y - self.offset.y))
  }

  private init(_ place: MaskedPlace, movedBy move: CGPoint) {
    (layer, window, list, inList) = (place.layer, place.window, place.list, place.inList)
    offset = CGPoint(x: place.offset.x + move.x, y: place.offset.y + move.y)
    whole = place.whole.offsetBy(dx: move.x, dy: move.y)
    clip = place.clip.offsetBy(dx: move.x, dy: move.y)
    model = place.model.offsetBy(dx: move.x, dy: move.y)
  }

  /// The topmost layer of a window, and its twin on the display.
  @MainActor struct Root {
    let window: UIWindow
    let layer: CALayer
    /// Of the window in the picture, in points.
    let offset: CGPoint
    private let presented: CALayer?

    init(_ window: UIWindow, offset: CGPoint = .zero) {
      self.window = window
      self.offset = offset
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
      guard path.isPlaceKnown, let presented = path.shown(layer), let top = root.shown(path) else { return self }
      // Those clip nothing, whatever they say.
      guard !(layer is CATransformLayer) else { return self }
      var clips = self
      let shownArea = LayerExtent.place(presented.bounds, of: presented, path, in: top, path.shown)
      let modelArea =
        path.isAnimated ? LayerExtent.place(layer.bounds, of: layer, path, in: root.layer) { $0 } : shownArea
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
