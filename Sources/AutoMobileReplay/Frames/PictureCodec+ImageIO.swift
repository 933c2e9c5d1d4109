#if canImport(ImageIO)
import CoreGraphics
import Foundation
import ImageIO

/// JPEG as the system makes it.
struct ImageIOCodec: PictureCodec {
  private static let format = CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue

  func encode(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double) -> Data? {
    // Copies the pixels once, and only those that changed come here.
    guard
      let context = CGContext(
        data: pixels, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: Self.format),
      let image = context.makeImage()
    else { return nil }
    let data = NSMutableData()
    guard let destination = CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 1, nil) else {
      return nil
    }
    let options = [kCGImageDestinationLossyCompressionQuality: quality] as CFDictionary
    CGImageDestinationAddImage(destination, image, options)
    return CGImageDestinationFinalize(destination) ? data as Data : nil
  }

  func decode(_ bytes: Data) -> Picture? {
    guard let source = CGImageSourceCreateWithData(bytes as CFData, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil),
      let picture = Picture(width: image.width, height: image.height),
      let context = CGContext(
        data: picture.pixels, width: picture.width, height: picture.height, bitsPerComponent: 8,
        bytesPerRow: picture.bytesPerRow, space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: Self.format)
    else { return nil }
    context.draw(image, in: CGRect(x: 0, y: 0, width: picture.width, height: picture.height))
    return picture
  }
}
#endif
