import AutoMobileReplay
import Foundation

/// Random numbers that are the same in each run.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension Picture {
  package static func make(_ width: Int, _ height: Int) -> Picture {
    guard let picture = Picture(width: width, height: height) else { fatalError("no size: \(width) × \(height)") }
    return picture
  }

  /// Other pixels everywhere.
  package func fillWithNoise(_ generator: inout SeededGenerator) {
    for index in 0..<count { pixels[index] = 0xFF00_0000 | UInt32(truncatingIfNeeded: generator.next() & 0xFF_FFFF) }
  }

  /// A list whose rows all look different, `offset` pixels down, between two bars.
  package func drawList(offset: Int, top: Int = 64, bottom: Int = 48) {
    fill(PixelRectangle(x: 0, y: 0, width: width, height: height), with: 0xFFF8_F8F8)
    for y in top..<height - bottom {
      var generator = SeededGenerator(UInt64(y + offset))
      for x in stride(from: 8, to: width - 40, by: 3) {
        pixels[y * width + x] = 0xFF00_0000 | UInt32(truncatingIfNeeded: generator.next() & 0xFF_FFFF)
      }
    }
    // The scroll indicator, which goes the other way.
    fill(PixelRectangle(x: width - 5, y: top + offset / 10, width: 3, height: 40), with: 0xFF80_8080)
  }

  /// A list between two bars whose rows of letters lie `offset` pixels farther up, also by parts of a pixel: these are drawn
  /// as a mean of the two rows of which they have parts, as phones do.
  package func drawDrifting(_ offset: Double, top: Int = 64, bottom: Int = 48) {
    fill(PixelRectangle(x: 0, y: 0, width: width, height: height), with: 0xFFF8_F8F8)
    let whole = Int(offset.rounded(.down))
    let part = Int(((offset - offset.rounded(.down)) * 256).rounded())
    for y in top..<height - bottom {
      for x in 20..<width - 20 {
        let upper = Self.ink(x, y + whole)
        let value = upper + (Self.ink(x, y + whole + 1) - upper) * part / 256
        pixels[y * width + x] = 0xFF00_0000 | UInt32(value) * 0x01_0101
      }
    }
  }

  /// Something like letters in lines of 18 pixels with 6 between them: strokes of three rows and columns, other ones in each
  /// line, and each begins in another row than its neighbour.
  private static func ink(_ x: Int, _ y: Int) -> Int {
    let column = x / 3
    guard y % 24 < 18 else { return 255 }
    var generator = SeededGenerator(UInt64(bitPattern: Int64((y + column) / 3 &* 100_003 &+ column &* 31)))
    return generator.next() % 3 == 0 ? 20 : 255
  }

  package func isEqual(_ other: Picture) -> Bool {
    hasSize(of: other) && memcmp(pixels, other.pixels, count * 4) == 0
  }

  package var duplicate: Picture {
    let other = Picture.make(width, height)
    other.copy(self)
    return other
  }
}

extension FrameRecord {
  /// All records of some bytes.
  package static func all(in bytes: Data) throws -> [FrameRecord] {
    var reader = FrameReader(bytes)
    var records: [FrameRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }
}
