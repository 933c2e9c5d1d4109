import Foundation

/// Makes images of pictures, and pictures of images. Any thread.
package protocol PictureCodec: Sendable {
  /// The first `height` rows of a picture that is `width` pixels wide, as a JPEG or a PNG of that quality (0…1); nil when it
  /// cannot be made.
  func encode(
    _ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double
  ) -> Data?

  /// A picture; nil when the bytes are none, or when it is larger than ``Picture/maximumCount``.
  func decode(_ bytes: Data) -> Picture?
}
