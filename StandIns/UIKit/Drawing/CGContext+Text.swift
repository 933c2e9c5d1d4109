import CCairo
import Foundation

extension CGContext {
  /// A line of text, in the middle of a rectangle's height.
  func draw(_ text: String?, in rect: CGRect, font: UIFont, color: UIColor, isCentered: Bool = false) {
    guard let text, !text.isEmpty, rect.width > 0 else { return }
    color.select(self)
    select(font)
    let height = font.lineHeight
    // What finds no room is cut off.
    let lines = lines(of: text, width: Double(rect.width)).prefix(max(1, Int(Double(rect.height) / height + 0.1)))
    let free = max(0, Double(rect.height) - height * Double(lines.count))
    var baseline = Double(rect.minY) + free / 2 + height * 0.8
    for line in lines {
      let left = isCentered ? max(0, (Double(rect.width) - width(line)) / 2) : 0
      cairo_move_to(cairo, Double(rect.minX) + left, baseline)
      cairo_show_text(cairo, String(line))
      baseline += height
    }
  }

  fileprivate func lines(of text: String, width: Double) -> [Substring] {
    // A label that is as wide as its text is not to break it, whatever became of the last digits.
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapped($0, width: width + 0.5) }
  }

  fileprivate func select(_ font: UIFont) {
    let weight = font.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
    cairo_select_font_face(cairo, "Liberation Sans", CAIRO_FONT_SLANT_NORMAL, weight)
    cairo_set_font_size(cairo, Double(font.pointSize))
    // A text is as wide in a small picture as in a large one.
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(cairo, options)
    cairo_font_options_destroy(options)
  }

  fileprivate func width(_ text: Substring) -> Double {
    var extents = cairo_text_extents_t()
    cairo_text_extents(cairo, String(text), &extents)
    return extents.x_advance
  }

  /// Lines that are no wider, broken at spaces.
  private func wrapped(_ text: Substring, width: Double) -> [Substring] {
    var lines: [Substring] = []
    var start = text.startIndex
    var end = start
    for index in text.indices where text[index] == " " {
      if self.width(text[start..<index]) > width, end > start {
        lines.append(text[start..<end])
        start = text.index(after: end)
      }
      end = index
    }
    if self.width(text[start...]) > width, end > start {
      lines.append(text[start..<end])
      start = text.index(after: end)
    }
    return lines + [text[start...]]
  }
}

extension UIFont {
  fileprivate var lineHeight: Double { Double(pointSize) * 1.2 }

  /// A picture of one pixel, in which nothing is drawn.
  @MainActor private static let measuring = CGContext(
    data: UnsafeMutablePointer<UInt32>.allocate(capacity: 1), width: 1, height: 1, bitsPerComponent: 8, bytesPerRow: 4,
    space: CGColorSpaceCreateDeviceRGB(),
    bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue)

  /// What the text needs, when it may be so wide.
  @MainActor func size(of text: String, width: CGFloat) -> CGSize {
    guard let context = Self.measuring else { return .zero }
    context.select(self)
    let lines = context.lines(of: text, width: Double(width))
    return CGSize(width: lines.map(context.width).max() ?? 0, height: lineHeight * Double(lines.count))
  }
}
