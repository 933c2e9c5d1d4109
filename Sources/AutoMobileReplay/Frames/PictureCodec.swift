import Foundation

/// Makes JPEGs of pictures, and pictures of JPEGs. Any thread.
package protocol PictureCodec: Sendable {
  /// The first `height` rows of a picture that is `width` pixels wide, as a JPEG of that quality (0…1); nil when it
  /// cannot be made.
  func encode(
    _ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double
  ) -> Data?

  /// A picture; nil when the bytes are none, or when it is larger than ``Picture/maximumCount``.
  func decode(_ bytes: Data) -> Picture?
}
