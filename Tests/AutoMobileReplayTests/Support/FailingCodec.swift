import AutoMobileReplay
import Foundation
import ReplayTesting

/// A codec that fails when told to.
final class FailingCodec: PictureCodec, @unchecked Sendable {
  // Unchecked: a test uses it on one thread.
  var fails = false

  func encode(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double) -> Data? {
    fails ? nil : RawCodec().encode(pixels, width: width, height: height, quality: quality)
  }

  func decode(_ bytes: Data) -> Picture? { RawCodec().decode(bytes) }
}
