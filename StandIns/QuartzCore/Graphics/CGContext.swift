import CCairo
import Foundation

/// Documentation: *CGContext*. iOS 2.0.
public final class CGContext {
  /// What draws. Its coordinates are turned so that they go up from the lower left, as Core Graphics has it.
  package let cairo: OpaquePointer
  private let surface: OpaquePointer

  /// Documentation: *init(data:width:height:bitsPerComponent:bytesPerRow:space:bitmapInfo:)*. iOS 2.0.
  ///
  /// Only of four bytes a pixel, blue first.
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: UInt32
  ) {
    let isKnown = [CGImageAlphaInfo.noneSkipFirst, .premultipliedFirst].contains {
      bitmapInfo == $0.rawValue | CGBitmapInfo.byteOrder32Little.rawValue
    }
    guard let data, isKnown, bitsPerComponent == 8, width > 0, height > 0, bytesPerRow == width * 4 else { return nil }
    surface = cairo_image_surface_create_for_data(
      data.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(width), Int32(height), Int32(bytesPerRow))
    cairo = cairo_create(surface)
    translateBy(x: 0, y: CGFloat(height))
    scaleBy(x: 1, y: -1)
  }

  /// Draws on what keeps it, upright.
  package init(recordingOn surface: OpaquePointer) {
    self.surface = cairo_surface_reference(surface)
    cairo = cairo_create(surface)
  }

  deinit {
    cairo_destroy(cairo)
    cairo_surface_destroy(surface)
  }

  /// Documentation: *translateBy(x:y:)*. iOS 2.0.
  public func translateBy(x tx: CGFloat, y ty: CGFloat) { cairo_translate(cairo, Double(tx), Double(ty)) }

  /// Documentation: *scaleBy(x:y:)*. iOS 2.0.
  public func scaleBy(x sx: CGFloat, y sy: CGFloat) { cairo_scale(cairo, Double(sx), Double(sy)) }

  /// Documentation: *saveGState()*. iOS 2.0.
  public func saveGState() { cairo_save(cairo) }

  /// Documentation: *restoreGState()*. iOS 2.0.
  public func restoreGState() { cairo_restore(cairo) }

  /// Documentation: *clip(to:)*. iOS 2.0.
  public func clip(to rect: CGRect) {
    cairo_rectangle(cairo, Double(rect.minX), Double(rect.minY), Double(rect.width), Double(rect.height))
    cairo_clip(cairo)
  }

  /// Documentation: *setFillColor(red:green:blue:alpha:)*. iOS 2.0.
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    cairo_set_source_rgba(cairo, Double(red), Double(green), Double(blue), Double(alpha))
  }

  /// Documentation: *fill(_:)*. iOS 2.0.
  public func fill(_ rect: CGRect) {
    cairo_rectangle(cairo, Double(rect.minX), Double(rect.minY), Double(rect.width), Double(rect.height))
    cairo_fill(cairo)
  }
}

/// Documentation: *CGColorSpace*. iOS 2.0.
public final class CGColorSpace: Sendable {}

/// Documentation: *CGColorSpaceCreateDeviceRGB()*. iOS 2.0.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

/// Documentation: *CGImageAlphaInfo*. iOS 2.0.
public enum CGImageAlphaInfo: UInt32, Sendable {
  case premultipliedFirst = 2
  case noneSkipFirst = 6
}

/// Documentation: *CGBitmapInfo*. iOS 2.0.
public struct CGBitmapInfo: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Documentation: *byteOrder32Little*. iOS 2.0.
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
}
