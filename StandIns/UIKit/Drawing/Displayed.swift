import CCairo
import Foundation

/// A layer and all that is in it, as the display was told of it last.
@MainActor struct Displayed {
  /// What a layer shows by itself.
  private enum Contents {
    /// It draws when it is asked.
    case live
    /// It has drawn.
    case recorded(Recording)
  }

  private let layer: CALayer
  private let looks: CALayer.Looks
  /// Where animations had come to then; otherwise they go on.
  private let recorded: CALayer.Looks?
  private let isRecorded: Bool
  private let colour: UIColor?
  private let contents: Contents
  private let sublayers: [Displayed]
  /// None or one.
  private let mask: [Displayed]

  /// - Parameter records: whether what is drawn is kept as it is now.
  init(_ layer: CALayer, records: Bool) {
    self.layer = layer
    looks = layer.looks
    recorded = records ? layer.shown(committed: layer.looks) : nil
    isRecorded = records
    colour = (layer.delegate as? UIView)?.backgroundColor
    let size = (recorded ?? looks).frame.size
    contents = records ? .recorded(Recording { Self.draw(layer, $0, CGRect(origin: .zero, size: size)) }) : .live
    sublayers = (layer.sublayers ?? []).map { Displayed($0, records: records) }
    mask = [layer.mask].compactMap { $0 }.map { Displayed($0, records: records) }
  }

  private var shown: CALayer.Looks? { isRecorded ? recorded : layer.shown(committed: looks) }

  /// In its superlayer's coordinates.
  func draw(_ context: CGContext) {
    guard (layer.delegate as? UIView)?.simulatesMissingImage != true else { return }
    guard !SimulatedException.isUnderWay, let shown, !shown.isHidden, shown.opacity > 0 else { return }
    cairo_save(context.cairo)
    defer { cairo_restore(context.cairo) }
    let move = shown.toSuperlayer
    var matrix = cairo_matrix_t(
      xx: Double(move.a), yx: Double(move.b), xy: Double(move.c), yy: Double(move.d), x0: Double(move.tx),
      y0: Double(move.ty))
    cairo_transform(context.cairo, &matrix)
    let opacity = Double(shown.opacity)
    if opacity < 1 || !mask.isEmpty { cairo_push_group(context.cairo) }
    if layer.shadowOpacity > 0, layer.shadowPath == nil, !shown.masksToBounds {
      drawWithShadow(context, shown)
    } else {
      drawContents(context, shown)
    }
    if let mask = mask.first {
      cairo_pop_group_to_source(context.cairo)
      cairo_push_group(context.cairo)
      mask.draw(context)
      let shape = cairo_pop_group(context.cairo)
      cairo_mask(context.cairo, shape)
      cairo_pattern_destroy(shape)
    } else if opacity < 1 {
      cairo_pop_group_to_source(context.cairo)
      cairo_paint_with_alpha(context.cairo, opacity)
    }
  }

  /// A shadow has the shape of all that is drawn, and is as sharp here as that.
  private func drawWithShadow(_ context: CGContext, _ shown: CALayer.Looks) {
    cairo_push_group(context.cairo)
    cairo_save(context.cairo)
    drawContents(context, shown)
    cairo_restore(context.cairo)
    let shape = cairo_pop_group(context.cairo)
    cairo_save(context.cairo)
    context.translateBy(x: layer.shadowOffset.width, y: layer.shadowOffset.height)
    layer.shadowColor?.select(context, alpha: CGFloat(layer.shadowOpacity))
    cairo_mask(context.cairo, shape)
    cairo_restore(context.cairo)
    cairo_set_source(context.cairo, shape)
    cairo_paint(context.cairo)
    cairo_pattern_destroy(shape)
  }

  /// In its own coordinates.
  func drawContents(_ context: CGContext) {
    if let shown { drawContents(context, shown) }
  }

  private func drawContents(_ context: CGContext, _ shown: CALayer.Looks) {
    let area = CGRect(origin: shown.boundsOrigin, size: shown.frame.size)
    if shown.masksToBounds, !(layer is CATransformLayer) { context.clip(area, radius: shown.cornerRadius) }
    if let colour {
      colour.select(context)
      context.fill(area, radius: shown.cornerRadius)
    }
    cairo_save(context.cairo)
    context.translateBy(x: area.minX, y: area.minY)
    // A layer's image is as large as the layer, unless it fills it.
    if !layer.contentsGravity.overflows { context.clip(to: CGRect(origin: .zero, size: area.size)) }
    switch contents {
    case .live: Self.draw(layer, context, CGRect(origin: .zero, size: area.size), mayRaise: true)
    case .recorded(let recording): recording.draw(context)
    }
    cairo_restore(context.cairo)
    for sublayer in sublayers {
      cairo_save(context.cairo)
      sublayer.bringNearer(context, in: area, shown.perspective)
      sublayer.draw(context)
      cairo_restore(context.cairo)
    }
  }

  /// What is in front of the screen is larger, about the middle of what it is in: more of a perspective is not drawn.
  private func bringNearer(_ context: CGContext, in area: CGRect, _ perspective: CGFloat) {
    guard let shown, perspective != 0, shown.depth != 0 else { return }
    let scale = 1 / (1 + perspective * shown.depth)
    context.translateBy(x: area.midX, y: area.midY)
    context.scaleBy(x: scale, y: scale)
    context.translateBy(x: -area.midX, y: -area.midY)
  }

  private static func draw(_ layer: CALayer, _ context: CGContext, _ rect: CGRect, mayRaise: Bool = false) {
    // Whoever draws asks for the current context.
    UIGraphicsPushContext(context)
    if let view = layer.delegate as? UIView {
      view.draw(rect)
      if mayRaise, view.simulatesException {
        // What it pushed stays where it is.
        SimulatedException.isUnderWay = true
        return
      }
    } else {
      layer.draw(in: context)
    }
    UIGraphicsPopContext()
  }
}

/// What was drawn, to be drawn again.
final class Recording {
  private let surface: OpaquePointer

  @MainActor init(_ draw: (CGContext) -> Void) {
    surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nil)
    draw(CGContext(recordingOn: surface))
  }

  deinit { cairo_surface_destroy(surface) }

  func draw(_ context: CGContext) {
    guard !isEmpty else { return }
    cairo_set_source_surface(context.cairo, surface, 0, 0)
    cairo_paint(context.cairo)
  }

  var isEmpty: Bool {
    var (x, y, width, height) = (0.0, 0.0, 0.0, 0.0)
    cairo_recording_surface_ink_extents(surface, &x, &y, &width, &height)
    return width <= 0 || height <= 0
  }
}

extension UIView {
  /// Whether it shows anything but its colour by itself.
  var hasDrawn: Bool {
    !Recording { context in
      UIGraphicsPushContext(context)
      draw(bounds)
      UIGraphicsPopContext()
    }.isEmpty
  }
}
