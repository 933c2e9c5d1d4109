#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import AutoMobileRecorder
import UIKit

/// The maps on the screen, and whether they move. Nothing of MapKit is linked: a map is told by its class's name, and what it
/// shows by its property `visibleMapRect`.
@MainActor final class MovingMaps {
  private struct Map {
    weak var view: UIView?
    var place: NSObject?
  }

  private static let most = 8
  private var maps: [ObjectIdentifier: Map] = [:]

  nonisolated init() {}

  /// A view that was on the screen when that was looked at.
  func note(_ view: UIView) {
    guard ViewTypes.facts(view).isMap, maps[ObjectIdentifier(view)]?.view == nil, maps.count < Self.most else { return }
    maps[ObjectIdentifier(view)] = Map(view: view, place: Self.place(of: view))
  }

  /// Whether one shows another part of the world than it did when this was asked last.
  func haveMoved() -> Bool {
    var haveMoved = false
    for (id, map) in maps {
      guard let view = map.view, view.window != nil else {
        maps[id] = nil
        continue
      }
      let place = Self.place(of: view)
      guard place != map.place else { continue }
      maps[id]?.place = place
      haveMoved = true
    }
    return haveMoved
  }

  private static func place(of view: UIView) -> NSObject? {
    var place: NSObject?
    ErrorBarrier.run(.displayFrame) { place = view.value(forKey: "visibleMapRect") as? NSObject }
    return place
  }
}
#endif
