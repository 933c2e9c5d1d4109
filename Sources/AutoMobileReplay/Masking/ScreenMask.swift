import AutoMobileJournal
import Foundation

/// Where on the screen nothing may be seen, in points.
struct ScreenMask: Equatable, Sendable {
  private(set) var areas: [CGRect] = []
  /// A view that is masked may be anywhere: the picture must not be kept.
  var isUncertain = false

  /// So many views are masked at most; who has more is up to something else.
  static let maximumAreas = 2000

  init() {}

  /// - Parameter area: nil, or not made of finite numbers: nobody knows.
  mutating func add(_ area: CGRect?) {
    guard let area, area.isFinite else {
      isUncertain = true
      return
    }
    guard area.width > 0, area.height > 0 else { return }
    guard areas.count < Self.maximumAreas else {
      isUncertain = true
      return
    }
    areas.append(area)
  }

  mutating func add(_ other: ScreenMask) {
    for area in other.areas { add(area) }
    if other.isUncertain { isUncertain = true }
  }

  /// Glass shows what is near it: all of it is covered where that is.
  mutating func spread(over glass: some Collection<CGRect>) {
    var rest = Array(glass)
    var count = -1
    while count != rest.count {
      count = rest.count
      for (index, area) in rest.enumerated().reversed() {
        let near = area.insetBy(dx: -Self.reachOfGlass, dy: -Self.reachOfGlass)
        guard areas.contains(where: near.intersects) else { continue }
        add(area)
        rest.remove(at: index)
      }
    }
  }

  /// In points.
  private static let reachOfGlass: CGFloat = 16

  /// What a mask looks like.
  static let colour: UInt32 = 0xFF8E_8E93

  /// Covers the areas in a picture, and the pixels that they only touch.
  func paint(on picture: Picture, pixelsPerPoint: Double) {
    for area in areas {
      let left = Int(saturating: (Double(area.minX) * pixelsPerPoint).rounded(.down) - 1)
      let top = Int(saturating: (Double(area.minY) * pixelsPerPoint).rounded(.down) - 1)
      let right = Int(saturating: (Double(area.maxX) * pixelsPerPoint).rounded(.up) + 1)
      let bottom = Int(saturating: (Double(area.maxY) * pixelsPerPoint).rounded(.up) + 1)
      // Kept in a range where nothing overflows; a picture is smaller.
      let range = -100_000...100_000
      let (x, y) = (left.clamped(to: range), top.clamped(to: range))
      picture.fill(
        PixelRectangle(x: x, y: y, width: right.clamped(to: range) - x, height: bottom.clamped(to: range) - y),
        with: Self.colour)
    }
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

extension CGRect {
  /// Whether it is a place at all: others must not be compared or cut.
  var isFinite: Bool { origin.x.isFinite && origin.y.isFinite && size.width.isFinite && size.height.isFinite }
}
