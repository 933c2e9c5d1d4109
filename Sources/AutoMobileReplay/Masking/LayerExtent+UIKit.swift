#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import UIKit

#if canImport(Darwin)
import CoreGraphics
#endif

/// What a layer shows by itself, also where that is more than its bounds: an image that fills them, or is larger, and is cut off by
/// nothing.
@MainActor enum LayerExtent {
  /// - Parameter shown: the layer, or what is shown of it.
  /// - Returns: in its own coordinates; nil when nobody knows.
  static func area(of layer: CALayer, as shown: CALayer) -> CGRect? {
    let bounds = shown.bounds
    if shown.masksToBounds { return bounds }
    let gravity = shown.contentsGravity
    guard gravity != .resize, gravity != .resizeAspect else { return bounds }
    // What an image that is gone was like, nobody knows.
    if layer.animationKeys()?.contains("contents") == true { return nil }
    guard layer.contents != nil else { return bounds }
    guard let sizes = sizes(layer, bounds) else { return nil }
    return sizes.reduce(bounds) { $0.union(place(of: $1, in: bounds, gravity)) }
  }

  // MARK: Shadows

  /// Where a part of a layer is drawn, with the shadows of all that it is in: these have the shape of what throws them, that of words,
  /// too.
  ///
  /// - Parameters:
  ///   - shown: the layer, or what is shown of it.
  ///   - twin: in the tree of `shown`.
  static func place(
    _ area: CGRect, of shown: CALayer, _ path: LayerPath, in top: CALayer, _ twin: (CALayer) -> CALayer?
  ) -> CGRect {
    var (area, current, shadow) = (area, shown, path.shadow)
    while let next = shadow {
      shadow = next.outer
      guard let outer = twin(next.layer) else { continue }
      area = withShadow(current === outer ? area : current.convert(area, to: outer), next.layer, outer)
      current = outer
    }
    return current.convert(area, to: top)
  }

  private static func withShadow(_ area: CGRect, _ layer: CALayer, _ shown: CALayer) -> CGRect {
    guard !shown.masksToBounds, shown.shadowPath == nil else { return area }
    // The shadow of what is of one colour has the shape of that.
    var alpha = CGFloat.zero
    if let view = layer.delegate as? UIView, view.layer === layer,
      view.backgroundColor?.getRed(nil, green: nil, blue: nil, alpha: &alpha) == true, alpha == 1,
      shown.bounds.contains(area)
    {
      return area
    }
    let blur = 2 * max(0, shown.shadowRadius)
    let shadow = area.offsetBy(dx: shown.shadowOffset.width, dy: shown.shadowOffset.height)
    return area.union(shadow.insetBy(dx: -blur, dy: -blur))
  }

  // MARK: Images

  /// Of what it shows, or may show next.
  private static func sizes(_ layer: CALayer, _ bounds: CGRect) -> [CGSize]? {
    if let view = layer.delegate as? UIImageView, view.layer === layer {
      let images = [view.image, view.highlightedImage].compactMap { $0 }
      return (images + (view.animationImages ?? []) + (view.highlightedAnimationImages ?? [])).map(\.size)
    }
    #if canImport(Darwin)
    guard let contents = layer.contents else { return [] }
    // What a view has drawn is as large as that was.
    if String(describing: contents).contains("BackingStore") { return [bounds.size] }
    let isWhole = layer.contentsRect == CGRect(x: 0, y: 0, width: 1, height: 1) && layer.contentsScale > 0
    guard isWhole, CFGetTypeID(contents as CFTypeRef) == CGImage.typeID else { return nil }
    let image = unsafeDowncast(contents as AnyObject, to: CGImage.self)
    let scale = layer.contentsScale
    return [CGSize(width: CGFloat(image.width) / scale, height: CGFloat(image.height) / scale)]
    #else
    return layer.delegate is UIView ? [bounds.size] : nil
    #endif
  }

  private static func place(of size: CGSize, in bounds: CGRect, _ gravity: CALayerContentsGravity) -> CGRect {
    guard size.width > 0, size.height > 0 else { return bounds }
    if gravity == .resizeAspectFill {
      let scale = max(bounds.width / size.width, bounds.height / size.height)
      return bounds.insetBy(
        dx: -(size.width * scale - bounds.width) / 2, dy: -(size.height * scale - bounds.height) / 2)
    }
    // At whichever edge it begins.
    return bounds.insetBy(dx: -max(0, size.width - bounds.width), dy: -max(0, size.height - bounds.height))
  }
}
#endif
