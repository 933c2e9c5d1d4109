import CAutoMobile

/// Pixels of four bytes: blue, green, red, and one that is always 255. Rows from the top, without gaps.
///
/// The memory is fixed, so that pictures are used again instead of being made for each frame.
// Sendable unchecked: whoever holds a picture is the only one that touches its pixels. It goes from the main thread, which
// draws it, to the queue that encodes it, and back to the pool.
package final class Picture: @unchecked Sendable {
  package let width: Int
  package let height: Int
  package let pixels: UnsafeMutablePointer<UInt32>
  package var count: Int { width * height }
  package var bytesPerRow: Int { width * 4 }

  /// No screen has more, and no record may ask for more memory.
  package static let maximumEdge = 8192
  package static let maximumCount = 1 << 24

  /// A black picture; nil when there is no such size.
  package init?(width: Int, height: Int) {
    guard Self.isValid(width: width, height: height) else { return nil }
    self.width = width
    self.height = height
    pixels = .allocate(capacity: width * height)
    pixels.initialize(repeating: 0xFF00_0000, count: width * height)
  }

  deinit { pixels.deallocate() }

  static func isValid(width: Int, height: Int) -> Bool {
    (1...maximumEdge).contains(width) && (1...maximumEdge).contains(height) && width * height <= maximumCount
  }

  package func hasSize(of other: Picture) -> Bool { width == other.width && height == other.height }

  package func copy(_ other: Picture) {
    guard hasSize(of: other) else { return }
    pixels.update(from: other.pixels, count: count)
  }

  /// Fills as much of a rectangle as lies in the picture.
  package func fill(_ rectangle: PixelRectangle, with colour: UInt32) {
    guard let inside = rectangle.cut(toWidth: width, height: height) else { return }
    am_pixels_fill(pixels, width, inside.x, inside.y, inside.width, inside.height, colour)
  }

  /// Of a place; black outside.
  package func colour(x: Int, y: Int) -> UInt32 {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return 0xFF00_0000 }
    return pixels[y * width + x]
  }
}

/// A rectangle of whole pixels.
package struct PixelRectangle: Equatable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The part that lies in a picture; nil when nothing does.
  func cut(toWidth pictureWidth: Int, height pictureHeight: Int) -> PixelRectangle? {
    let left = max(0, x)
    let top = max(0, y)
    let right = min(pictureWidth, x.adding(clamped: width))
    let bottom = min(pictureHeight, y.adding(clamped: height))
    guard left < right, top < bottom else { return nil }
    return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }

  func isInside(width pictureWidth: Int, height pictureHeight: Int) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0 && x.adding(clamped: width) <= pictureWidth
      && y.adding(clamped: height) <= pictureHeight
  }
}

extension Int {
  fileprivate func adding(clamped other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other > 0 ? .max : .min) : sum
  }
}
