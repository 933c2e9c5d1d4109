#if canImport(CJPEG)
import AutoMobileJournal
import CJPEG
import Foundation

/// JPEG through libjpeg-turbo: where the stand-ins are, there is no ImageIO.
package struct LibJPEGCodec: PictureCodec {
  package init() {}

  package func encode(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double) -> Data? {
    var length = 0
    let percent = Int32(saturating: (min(max(quality, 0), 1) * 100).rounded())
    let bytes = pixels.withMemoryRebound(to: UInt8.self, capacity: width * height * 4) {
      cjpeg_encode($0, Int32(clamping: width), Int32(clamping: height), percent, &length)
    }
    guard let bytes else { return nil }
    return Data(bytesNoCopy: bytes, count: length, deallocator: .free)
  }

  package func decode(_ bytes: Data) -> Picture? {
    bytes.withUnsafeBytes { buffer -> Picture? in
      guard let base = buffer.bindMemory(to: UInt8.self).baseAddress else { return nil }
      var width: Int32 = 0
      var height: Int32 = 0
      guard cjpeg_size(base, buffer.count, &width, &height) != 0,
        let picture = Picture(width: Int(width), height: Int(height))
      else { return nil }
      let isDecoded = picture.pixels.withMemoryRebound(to: UInt8.self, capacity: picture.count * 4) {
        cjpeg_decode(base, buffer.count, $0, width, height) != 0
      }
      return isDecoded ? picture : nil
    }
  }
}
#endif
