#if canImport(UIKit) && !os(watchOS)
import UIKit

/// What was masked in the picture before. What has gone since may still be in the next one: the display is a process of its
/// own, and what is drawn is what it was told last. So that is covered once more.
@MainActor final class MaskMemory {
  private var places: [MaskedPlace] = []

  nonisolated init() {}

  func forget() { places = [] }

  /// Nothing was drawn after all.
  func remember(_ places: [MaskedPlace]) { self.places = places }

  /// What must be covered in a picture.
  ///
  /// - Parameters:
  ///   - before: what was masked when drawing began.
  ///   - after: what was when it had ended.
  ///   - offset: of a window in the picture; nil for one that is not in it.
  func mask(from before: [MaskedPlace], to after: [MaskedPlace], _ offset: (UIWindow) -> CGPoint?) -> ScreenMask {
    var mask = ScreenMask()
    var kept: [ObjectIdentifier: Int] = [:]
    var now = after
    for (index, place) in now.enumerated() {
      if let layer = place.layer { kept[ObjectIdentifier(layer)] = index }
    }
    for place in before {
      if let layer = place.layer, let index = kept[ObjectIdentifier(layer)] {
        now[index].passed(place)
      } else {
        place.coverRest(in: &mask, offset)
      }
    }
    for place in places where place.layer.flatMap({ kept[ObjectIdentifier($0)] }) == nil {
      place.coverRest(in: &mask, offset)
    }
    for place in now { place.cover(in: &mask) }
    places = after
    return mask
  }
}
#endif
