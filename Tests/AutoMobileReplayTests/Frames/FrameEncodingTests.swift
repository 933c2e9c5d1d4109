import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// What the encoder writes is what the player shows, to the pixel; and it writes no more than changed.
@Suite struct `Frames as they are written` {
  private func written(_ frame: ReplayFrame?) throws -> FrameRecord {
    let frame = try #require(frame)
    let records = try FrameRecord.all(in: frame.bytes)
    return try #require(records.first)
  }

  @Test(arguments: [(312, 675), (33, 31), (1, 1), (640, 17), (31, 200)])
  func `any changes arrive`(width: Int, height: Int) throws {
    var generator = SeededGenerator(UInt64(width * 7919 + height))
    let encoder = FrameEncoder(codec: RawCodec())
    let player = FramePlayer(codec: RawCodec())
    let picture = Picture.make(width, height)
    picture.fillWithNoise(&generator)
    for step in 0..<40 {
      if step > 0 {
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
          let rectangle = PixelRectangle(
            x: Int.random(in: -20..<width, using: &generator), y: Int.random(in: -20..<height, using: &generator),
            width: Int.random(in: 1...60, using: &generator), height: Int.random(in: 1...60, using: &generator))
          picture.fill(rectangle, with: 0xFF00_0000 | UInt32(truncatingIfNeeded: generator.next() & 0xFF_FFFF))
        }
      }
      guard let frame = encoder.encode(picture, at: Int64(step * 333)) else {
        #expect(try #require(player.picture).isEqual(picture))
        continue
      }
      #expect(try player.show(try written(frame)).isEqual(picture))
    }
  }

  @Test func `a picture as the one before is not written`() {
    var generator = SeededGenerator(1)
    let picture = Picture.make(312, 675)
    picture.fillWithNoise(&generator)
    let encoder = FrameEncoder(codec: RawCodec())
    #expect(encoder.encode(picture, at: 0)?.isKey == true)
    for step in 1...1000 { #expect(encoder.encode(picture, at: Int64(step) * 333_000) == nil) }
  }

  @Test func `one pixel is one tile`() throws {
    let picture = Picture.make(312, 675)
    let encoder = FrameEncoder(codec: RawCodec())
    _ = encoder.encode(picture, at: 0)
    picture.pixels[312 * 40 + 70] = 0xFFFF_FFFF
    let record = try written(encoder.encode(picture, at: 333))
    #expect(record.tiles == [UInt16(1 * 10 + 2)])
    #expect(record.flags == [])
    #expect(record.columns == 1)
    #expect(record.atlas.count == 8 + 32 * 32 * 4)
  }

  @Test func `what scrolled is moved, and only what came in is written`() throws {
    let picture = Picture.make(312, 675)
    let encoder = FrameEncoder(codec: RawCodec())
    let player = FramePlayer(codec: RawCodec())
    var offset = 0
    for step in [0, 37, 37, 90, -60, -1, 5] {
      offset += step
      picture.drawList(offset: offset)
      guard let frame = encoder.encode(picture, at: 0) else { continue }
      let record = try written(frame)
      #expect(try player.show(record).isEqual(picture))
      guard !record.flags.contains(.key) else { continue }
      #expect(record.moves.first?.dy == -step)
      // The rows that came in, those of the bars' edges, and the indicator's column.
      #expect(record.tiles.count <= (abs(step) / 32 + 3) * 10 + 24, "\(record.tiles.count) at \(step)")
    }
  }

  @Test func `pictures that are all new, one after the other, are a film of key frames`() throws {
    var generator = SeededGenerator(2)
    let picture = Picture.make(312, 675)
    let encoder = FrameEncoder(codec: RawCodec())
    let player = FramePlayer(codec: RawCodec())
    var keys: [Bool] = []
    func show() throws {
      let record = try written(encoder.encode(picture, at: 0))
      keys.append(record.flags.contains(.key))
      #expect(try player.show(record).isEqual(picture))
    }
    for _ in 0..<8 {
      picture.fillWithNoise(&generator)
      try show()
    }
    #expect(keys == [true, false, false, false, false, true, true, true])
    picture.fill(PixelRectangle(x: 0, y: 0, width: 40, height: 40), with: 0xFF00_00FF)
    try show()
    picture.fillWithNoise(&generator)
    try show()
    #expect(keys.suffix(2) == [false, false], "the film is over")
  }

  @Test func `key frames come at intervals, when somebody asks, and when the size is another`() {
    let encoder = FrameEncoder(codec: RawCodec())
    let picture = Picture.make(100, 100)
    var colour: UInt32 = 0xFF00_0000
    func change(_ picture: Picture) -> Picture {
      colour += 1
      picture.fill(PixelRectangle(x: 3, y: 3, width: 5, height: 5), with: colour)
      return picture
    }
    #expect(encoder.encode(change(picture), at: 0)?.isKey == true)
    #expect(encoder.encode(change(picture), at: 29_999)?.isKey == false)
    #expect(encoder.encode(change(picture), at: 30_000)?.isKey == true)
    #expect(encoder.encode(change(picture), at: 30_500)?.isKey == false)
    encoder.needKeyFrame()
    #expect(encoder.encode(picture, at: 31_000)?.isKey == true, "even when nothing changed")
    #expect(encoder.encode(change(.make(100, 101)), at: 31_000)?.isKey == true)
    #expect(encoder.encode(change(picture), at: 31_000)?.isKey == true)
    #expect(encoder.encode(change(picture), at: 1000)?.isKey == true, "the clock jumped back")
    #expect(encoder.encode(change(picture), at: .max)?.isKey == true)
    #expect(encoder.encode(change(picture), at: .min)?.isKey == true)
  }

  @Test func `after a loss comes a key frame that tells how many frames are missing`() throws {
    let encoder = FrameEncoder(codec: RawCodec())
    let picture = Picture.make(64, 64)
    #expect(try written(encoder.encode(picture, at: 0)).flags == .key)
    encoder.noteDropped(3)
    encoder.noteDropped(4)
    let record = try written(encoder.encode(picture, at: 1))
    #expect(record.flags == [.key, .gap])
    #expect(record.droppedFrames == 7)
    picture.pixels[0] = 0xFFFF_FFFF
    let next = try written(encoder.encode(picture, at: 2))
    #expect(next.flags == [] && next.droppedFrames == 0)
    encoder.noteDropped(.max)
    #expect(try written(encoder.encode(picture, at: 3)).droppedFrames == .max)
  }

  @Test func `a frame that cannot be coded is a loss`() throws {
    let codec = FailingCodec()
    let encoder = FrameEncoder(codec: codec)
    let picture = Picture.make(64, 64)
    _ = encoder.encode(picture, at: 0)
    codec.fails = true
    picture.pixels[0] = 0xFFFF_FFFF
    #expect(encoder.encode(picture, at: 1) == nil)
    codec.fails = false
    let record = try written(encoder.encode(picture, at: 2))
    #expect(record.flags == [.key, .gap] && record.droppedFrames == 1)
  }
}
