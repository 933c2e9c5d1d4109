import CAutoMobile

/// Finds what scrolled by parts of a pixel: rows that are like rows elsewhere in the picture before. For one thread.
final class DriftFinder {
  private let width: Int
  private let height: Int
  private var before: [UInt8]
  private var after: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    before = Array(repeating: 0, count: height * Int(am_pixels_bands))
    after = before
  }

  /// The move, by whole pixels, that brings `old` nearest to `new` within these rows; nil when none brings it near.
  func find(from old: Picture, to new: Picture, in rows: Range<Int>) -> FrameRecord.Move? {
    guard rows.lowerBound >= 0, rows.upperBound <= height, rows.count >= 4 * MoveFinder.leastRows else { return nil }
    let margin = MoveFinder.margin(width)
    am_pixels_row_brightness(old.pixels, width, height, margin, width - margin, &before)
    am_pixels_row_brightness(new.pixels, width, height, margin, width - margin, &after)
    let shift = am_pixels_vertical_drift(before, after, rows.lowerBound, rows.upperBound, rows.count / 4)
    guard shift != 0 else { return nil }
    let from = PixelRectangle(
      x: 0, y: max(rows.lowerBound, rows.lowerBound - shift), width: width,
      height: rows.count - Int(clamping: shift.magnitude))  // bounded: a quarter of the rows stays
    return FrameRecord.Move(from: from, dx: 0, dy: shift)
  }
}
