import AutoMobileReplay
import Foundation

/// A codec that loses nothing, so that pictures can be compared to the pixel: width, height, and the pixels.
package struct RawCodec: PictureCodec {
  package init() {}

  package func encode(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double) -> Data? {
    var data = Data()
    withUnsafeBytes(of: UInt32(width).littleEndian) { data.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt32(height).littleEndian) { data.append(contentsOf: $0) }
    data.append(Data(bytes: pixels, count: width * height * 4))
    return data
  }

  package func decode(_ bytes: Data) -> Picture? {
    guard bytes.count >= 8 else { return nil }
    let sizes = bytes.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }
    guard let picture = Picture(width: Int(sizes.0), height: Int(sizes.1)), bytes.count == 8 + picture.count * 4
    else { return nil }
    bytes.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(start: picture.pixels, count: picture.count * 4).copyMemory(
        from: .init(rebasing: $0[8...]))
    }
    return picture
  }
}
