import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// Pictures of few colours, as PNGs.
@Suite struct `Pictures of few colours` {
  private func encoded(_ picture: Picture, quality: Double = 0.5) -> Data? {
    IndexedPNG.encode(picture.pixels, width: picture.width, height: picture.height, quality: quality)
  }

  /// The mean of the squares of what the parts of colours are off.
  private func error(_ left: Picture, _ right: Picture) -> Double {
    var sum = 0
    for place in 0..<left.count {
      for bits: UInt32 in [0, 8, 16] {
        let off = Int(left.pixels[place] >> bits & 255) - Int(right.pixels[place] >> bits & 255)
        sum += off * off
      }
    }
    return Double(sum) / Double(left.count * 3)
  }

  @Test(arguments: [(1, 1, 1), (7, 3, 2), (312, 675, 4), (33, 31, 16), (31, 200, 17), (312, 675, 64)])
  func `few colours arrive as they are`(width: Int, height: Int, colours: Int) throws {
    var generator = SeededGenerator(UInt64(colours))
    let palette = (0..<colours).map { _ in 0xFF00_0000 | UInt32(generator.next() & 0xFF_FFFF) }
    let picture = Picture.make(width, height)
    for place in 0..<picture.count {
      picture.pixels[place] = palette[Int.random(in: 0..<colours, using: &generator)]
    }
    let bytes = try #require(encoded(picture, quality: 1))
    #expect(try #require(IndexedPNG.decode(bytes)).isEqual(picture))
    #expect(IndexedPNG.isOne(bytes))
  }

  @Test func `shades of letters are merged, and are nearer than a JPEG of them is`() throws {
    let picture = Picture.make(312, 675)
    picture.fill(PixelRectangle(x: 0, y: 0, width: 312, height: 675), with: 0xFFFF_FFFF)
    for place in stride(from: 0, to: picture.count, by: 9) {
      picture.pixels[place] = 0xFF00_0000 | UInt32(place / 9 % 256) * 0x01_0101
    }
    let bytes = try #require(encoded(picture))
    let shown = try #require(IndexedPNG.decode(bytes))
    #expect(Set((0..<shown.count).map { shown.pixels[$0] }).count <= 64)
    #expect(error(picture, shown) <= 4.1 && error(picture, shown) > 0)
    #expect(shown.pixels[1] == 0xFFFF_FFFF)
    let worst = try #require(IndexedPNG.decode(encoded(picture, quality: 0) ?? Data()))
    #expect(error(picture, worst) <= 8.2 && error(picture, worst) > error(picture, shown))
  }

  @Test func `photographs go to another codec, and are read from it`() throws {
    var generator = SeededGenerator(3)
    let picture = Picture.make(312, 675)
    picture.fillWithNoise(&generator)
    #expect(encoded(picture) == nil)
    let codec = FlatPictureCodec(photographs: RawCodec())
    let photograph = try #require(codec.encode(picture.pixels, width: 312, height: 675, quality: 0.5))
    #expect(!IndexedPNG.isOne(photograph))
    #expect(try #require(codec.decode(photograph)).isEqual(picture))
    // Hidden in few tiles, where here and there is not looked at.
    #expect(encoded(Picture.make(40, 40)) != nil)
    let few = Picture.make(60, 60)
    few.fillWithNoise(&generator)
    #expect(encoded(few) == nil)
  }

  @Test func `what no codec makes shorter is as the other codec makes it`() throws {
    var generator = SeededGenerator(4)
    let picture = Picture.make(64, 64)
    for place in 0..<picture.count { picture.pixels[place] = generator.next() % 2 == 0 ? 0xFF00_0000 : 0xFFFF_FFFF }
    let short = ShortCodec()
    let bytes = FlatPictureCodec(photographs: short).encode(picture.pixels, width: 64, height: 64, quality: 0.5)
    #expect(bytes == Data([1, 2, 3]))
    picture.fill(PixelRectangle(x: 0, y: 0, width: 64, height: 64), with: 0xFFFF_FFFF)
    let flat = FlatPictureCodec(photographs: short).encode(picture.pixels, width: 64, height: 64, quality: 0.5)
    #expect(IndexedPNG.isOne(try #require(flat)))
  }

  @Test func `no bytes bring it down, or make it take more than a screen`() throws {
    var generator = SeededGenerator(9)
    let picture = Picture.make(64, 48)
    picture.drawDrifting(3, top: 8, bottom: 8)
    let whole = try #require(encoded(picture))
    #expect(IndexedPNG.decode(whole) != nil)
    for length in 0..<whole.count {
      #expect(IndexedPNG.decode(whole.prefix(length)) == nil || length > whole.count - 13)
    }
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        bytes[Int.random(in: 8..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = IndexedPNG.decode(bytes)
    }
    // Of more pixels than there are rows for, and of more than any screen has.
    for (place, value) in [(23, 49), (19, 65), (16, 255), (20, 255)] as [(Int, UInt8)] {
      var bytes = whole
      bytes[place] = value
      #expect(IndexedPNG.decode(bytes) == nil, "byte \(place)")
    }
  }
}

private struct ShortCodec: PictureCodec {
  func encode(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double) -> Data? {
    Data([1, 2, 3])
  }
  func decode(_ bytes: Data) -> Picture? { nil }
}
