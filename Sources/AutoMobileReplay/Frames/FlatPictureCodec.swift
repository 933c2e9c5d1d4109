import Foundation

/// Makes PNGs of pictures of few colours, and hands others to a codec for photographs.
struct FlatPictureCodec: PictureCodec {
  let photographs: any PictureCodec

  /// In bytes of a PNG for each of so many pixels: one that is no shorter may be shorter as a JPEG.
  private static let pixelsForByte = 16

  func encode(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double) -> Data? {
    guard let flat = IndexedPNG.encode(pixels, width: width, height: height, quality: quality) else {
      return photographs.encode(pixels, width: width, height: height, quality: quality)
    }
    guard flat.count * Self.pixelsForByte > width * height,
      let other = photographs.encode(pixels, width: width, height: height, quality: quality), other.count < flat.count
    else { return flat }
    return other
  }

  func decode(_ bytes: Data) -> Picture? {
    guard IndexedPNG.isOne(bytes) else { return photographs.decode(bytes) }
    return IndexedPNG.decode(bytes) ?? photographs.decode(bytes)
  }
}
