#if canImport(UIKit) && !os(watchOS)
import UIKit

/// What was masked before a picture is drawn. The display is a process of its own, and what is drawn is what it was told last, or a
/// moment before. So what has gone since then is covered once more, and what has moved is on its way.
@MainActor final class MaskMemory {
  /// In the picture before.
  private var places: [MaskedPlace] = []
  /// Two frames of the display before this picture.
  private var earlier: MaskLook?
  /// For tests: as if there was none.
  private let isForgetful: Bool

  nonisolated init(isForgetful: Bool = false) { self.isForgetful = isForgetful }

  func forget() { (places, earlier) = ([], nil) }

  /// A picture will be drawn soon.
  ///
  /// - Parameter look: nil when nobody could tell.
  func expect(_ look: MaskLook?) { earlier = look }

  /// Nothing was drawn after all.
  func remember(_ look: MaskLook) {
    places = look.places
    earlier = nil
  }

  /// What must be covered in a picture.
  ///
  /// - Parameters:
  ///   - before: what was masked when drawing began.
  ///   - after: what was when it had ended.
  ///   - offset: of a window in the picture; nil for one that is not in it.
  func mask(from before: MaskLook, to after: MaskLook, _ offset: (UIWindow) -> CGPoint?) -> ScreenMask {
    var mask = ScreenMask()
    var kept: [ObjectIdentifier: Int] = [:]
    // A window that is drawn is one all the while.
    let leftOut = before.leftOut
    if leftOut != after.leftOut { mask.isUncertain = true }
    var now = after.places(without: leftOut)
    for (index, place) in now.enumerated() {
      if let layer = place.layer { kept[ObjectIdentifier(layer)] = index }
    }
    func cover(_ looked: [MaskedPlace]) {
      for place in looked {
        let place = place.moved(offset)
        if let layer = place.layer, let index = kept[ObjectIdentifier(layer)] {
          now[index].passed(place)
        } else {
          place.coverRest(in: &mask, offset)
        }
      }
    }
    // Where nothing moves, they are the same.
    if before.isMoving { cover(before.places(without: leftOut)) }
    if !isForgetful {
      if let earlier {
        let known = Set(earlier.places.compactMap { $0.layer.map(ObjectIdentifier.init) })
        for index in now.indices { now[index].follow(earlier.scrolled, after.scrolled, unless: known) }
        cover(earlier.places(without: leftOut))
        if earlier.isUncertain(without: leftOut) || !earlier.isOfSameSize(as: after) { mask.isUncertain = true }
      } else {
        mask.isUncertain = true
      }
      for place in places where place.layer.flatMap({ kept[ObjectIdentifier($0)] }) == nil {
        place.moved(offset).coverRest(in: &mask, offset)
      }
    }
    for place in now { place.cover(in: &mask) }
    if before.isUncertain(without: leftOut) || after.isUncertain(without: leftOut) { mask.isUncertain = true }
    let glass = [earlier, before, after].compactMap { $0?.glass(without: leftOut) }.joined()
    if !glass.isEmpty { mask.spread(over: extents(of: glass, offset)) }
    places = after.places(without: leftOut)
    earlier = nil
    return mask
  }

  /// Of each layer, all where it was.
  private func extents(
    of places: some Sequence<MaskedPlace>, _ offset: (UIWindow) -> CGPoint?
  ) -> some Collection<CGRect> {
    var areas: [ObjectIdentifier: CGRect] = [:]
    for place in places {
      let area = place.moved(offset).extent
      guard let layer = place.layer, !area.isEmpty else { continue }
      let id = ObjectIdentifier(layer)
      areas[id] = areas[id]?.union(area) ?? area
    }
    return areas.values
  }
}

extension MaskedPlace {
  /// What was put into a list that scrolls came with it: since it is there, it has been drawn where the list has shown it.
  fileprivate mutating func follow(
    _ before: [ObjectIdentifier: CGPoint], _ after: [ObjectIdentifier: CGPoint], unless known: Set<ObjectIdentifier>
  ) {
    guard let list, let layer, !known.contains(ObjectIdentifier(layer)) else { return }
    let id = ObjectIdentifier(list)
    guard let old = before[id], let new = after[id], old != new else { return }
    wasScrolled(by: CGPoint(x: new.x - old.x, y: new.y - old.y))
  }
}
#endif
