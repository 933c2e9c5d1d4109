#if canImport(UIKit)
import AutoMobileReplay
import Foundation
import UIKit

/// What a minute of a screen costs as a replay, and as a JPEG of the whole screen for each frame.
package struct ReplayBytes: Sendable {
  package var screen: String
  package var frames: Int
  package var records = 0
  package var keyFrames = 0
  package var moves = 0
  /// Of all records.
  package var bytes = 0
  /// Of full JPEGs of the same quality.
  package var fullBytes = 0
  /// How near the pictures are to what was on the screen, in decibels: the least of all frames. 99 stands for equal.
  package var worstPSNR = 99.0
  package var worstFullPSNR = 99.0

  package var share: Double { Double(bytes) / Double(max(1, fullBytes)) }

  /// Records a screen for so many frames, three a second, and plays them.
  @MainActor package static func measure(_ screen: SyntheticScreen, frames: Int) throws -> ReplayBytes {
    guard let codec = PictureCodecs.system, let jpeg = PictureCodecs.jpeg else {
      throw FrameError(offset: 0, reason: "no codec")
    }
    let encoder = FrameEncoder(codec: codec)
    let player = FramePlayer(codec: codec)
    let picture = Picture.make(312, 675)
    var result = ReplayBytes(screen: screen.name, frames: frames)
    for frame in 0..<frames {
      screen.show(frame)
      picture.draw(screen.window, pixelsPerPoint: 0.8)
      if let record = encoder.encode(picture, at: Int64(frame) * 333) {
        result.records += 1
        result.keyFrames += record.isKey ? 1 : 0
        result.bytes += record.bytes.count
        for record in try FrameRecord.all(in: record.bytes) {
          result.moves += record.moves.count
          try player.show(record)
        }
      }
      let full = jpeg.encode(picture.pixels, width: picture.width, height: picture.height, quality: 0.5) ?? Data()
      result.fullBytes += full.count
      if frame % 10 == 0, let played = player.picture, let decoded = jpeg.decode(full) {
        result.worstPSNR = min(result.worstPSNR, picture.psnr(played))
        result.worstFullPSNR = min(result.worstFullPSNR, picture.psnr(decoded))
      }
    }
    return result
  }
}

extension Picture {
  /// Draws a window as the adapter does.
  ///
  /// - Parameter afterScreenUpdates: false: as it is on the display, if it is.
  @discardableResult
  @MainActor package func draw(_ window: UIWindow, pixelsPerPoint: Double, afterScreenUpdates: Bool = true) -> Bool {
    let format = CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue
    guard
      let context = CGContext(
        data: pixels, width: width, height: height, bitsPerComponent: 8, bytesPerRow: bytesPerRow,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: format)
    else { return false }
    fill(PixelRectangle(x: 0, y: 0, width: width, height: height), with: 0xFF00_0000)
    context.translateBy(x: 0, y: CGFloat(height))
    context.scaleBy(x: CGFloat(pixelsPerPoint), y: -CGFloat(pixelsPerPoint))
    UIGraphicsPushContext(context)
    let isDrawn = window.drawHierarchy(in: window.bounds, afterScreenUpdates: afterScreenUpdates)
    UIGraphicsPopContext()
    return isDrawn
  }

  /// Peak signal to noise ratio over the three colours; 99 for equal pictures.
  package func psnr(_ other: Picture) -> Double {
    guard hasSize(of: other) else { return 0 }
    var squares = 0
    for index in 0..<count {
      let (left, right) = (pixels[index], other.pixels[index])
      for shift in [0, 8, 16] as [UInt32] {
        let difference = Int(left >> shift & 255) - Int(right >> shift & 255)
        squares += difference * difference
      }
    }
    guard squares > 0 else { return 99 }
    return 10 * log10(255 * 255 * Double(count * 3) / Double(squares))
  }
}
#endif
