import CCairo
import Foundation

/// Pixels of an image.
final class SimulatedPicture: @unchecked Sendable {
  // Unchecked: it does not change.
  let width: Int
  let height: Int
  let surface: OpaquePointer

  init(width: Int, height: Int, _ colour: (Int, Int) -> UInt32) {
    self.width = width
    self.height = height
    surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface)) / 4
    cairo_image_surface_get_data(surface).withMemoryRebound(to: UInt32.self, capacity: stride * height) { pixels in
      for y in 0..<height { for x in 0..<width { pixels[y * stride + x] = colour(x, y) } }
    }
    cairo_surface_mark_dirty(surface)
  }

  deinit { cairo_surface_destroy(surface) }
}

extension UIImage {
  /// A photo: `0xRRGGBB` for each place.
  public static func simulate(width: Int, height: Int, _ colour: (_ x: Int, _ y: Int) -> UInt32) -> UIImage {
    UIImage(SimulatedPicture(width: width, height: height, colour))
  }
}
