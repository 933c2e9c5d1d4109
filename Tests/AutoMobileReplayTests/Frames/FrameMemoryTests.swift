import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// Screens that come back are told by where they were, and look as they look now.
@Suite struct `Screens that come back` {
  private let encoder = FrameEncoder(codec: RawCodec())
  private let player = FramePlayer(codec: RawCodec())
  private let picture = Picture.make(312, 675)

  /// A screen without any tile that another one has, too.
  private func draw(_ screen: UInt64) {
    var generator = SeededGenerator(screen)
    picture.fillWithNoise(&generator)
  }

  /// The record of the picture, after which the player shows it to the pixel.
  @discardableResult private func show(at timestamp: Int64 = 0) throws -> FrameRecord {
    let record = try #require(try FrameRecord.all(in: encoder.encode(picture, at: timestamp)?.bytes ?? Data()).first)
    #expect(try player.show(record).isEqual(picture))
    return record
  }

  @Test func `a screen that was there is one reference, however long ago that was`() throws {
    for screen in 1...3 {
      draw(UInt64(screen))
      try show()
    }
    draw(1)
    let first = try show()
    #expect(first.tiles.isEmpty && first.moves.isEmpty && first.atlas.isEmpty)
    #expect(first.references == [.init(tile: 0, count: 220, back: 3, place: 0)])
    #expect(first.bytes.count == 46)
    draw(3)
    #expect(try show().references.map(\.back) == [2], "a record without an image counts as well")
    draw(2)
    #expect(try show().references.map(\.back) == [4])
  }

  @Test func `only what is new on a screen that was there is coded`() throws {
    draw(1)
    try show()
    draw(2)
    try show()
    draw(1)
    picture.fill(PixelRectangle(x: 40, y: 40, width: 4, height: 4), with: 0xFFFF_FFFF)
    let record = try show()
    #expect(record.tiles == [11])
    #expect(record.references.map(\.count) == [11, 208])
  }

  @Test func `what is covered now is shown covered, though it was seen before`() throws {
    let field = PixelRectangle(x: 37, y: 101, width: 120, height: 33)
    draw(1)
    try show()
    let secret = picture.colour(x: 60, y: 110)
    draw(2)
    try show()
    draw(1)
    picture.fill(field, with: ScreenMask.colour)
    try show()
    let shown = try #require(player.picture)
    #expect(shown.colour(x: 60, y: 110) == ScreenMask.colour && secret != ScreenMask.colour)
    draw(2)
    try show()
    draw(1)
    picture.fill(field, with: ScreenMask.colour)
    let record = try show()
    #expect(record.tiles.isEmpty, "it is remembered as it was covered")
  }

  @Test func `nothing from before a key frame is referred to`() throws {
    for screen in 1...3 {
      draw(UInt64(screen))
      try show()
    }
    encoder.needKeyFrame()
    let key = try show()
    #expect(key.flags.contains(.key))
    // Somebody who sees this segment only.
    let other = FramePlayer(codec: RawCodec())
    try other.show(key)
    for screen in [1, 3, 1, 2] {
      draw(UInt64(screen))
      let record = try show()
      #expect(try other.show(record).isEqual(picture))
      #expect(record.references.allSatisfy { $0.back <= 4 })
      #expect(record.tiles.isEmpty == (screen == 3 || !record.references.isEmpty))
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func `any going to and fro arrives`(seed: UInt64) throws {
    var generator = SeededGenerator(seed)
    for step in 0..<80 {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: draw(UInt64.random(in: 1...4, using: &generator))
      case 1: picture.drawList(offset: Int.random(in: 0...6, using: &generator) * 30)
      case 2: picture.drawDrifting(Double.random(in: 0...90, using: &generator))
      default:
        let rectangle = PixelRectangle(
          x: Int.random(in: -20..<312, using: &generator), y: Int.random(in: -20..<675, using: &generator),
          width: Int.random(in: 1...90, using: &generator), height: Int.random(in: 1...90, using: &generator))
        picture.fill(rectangle, with: [0xFF00_00FF, 0xFFFF_FFFF, ScreenMask.colour][step % 3])
      }
      for record in try FrameRecord.all(in: encoder.encode(picture, at: Int64(step) * 700)?.bytes ?? Data()) {
        try player.show(record)
      }
      // What drifts is near until it stands.
      for record in try FrameRecord.all(in: encoder.encode(picture, at: Int64(step) * 700)?.bytes ?? Data()) {
        try player.show(record)
      }
      #expect(try #require(player.picture).isEqual(picture), "at \(step)")
    }
  }

  @Test func `a record needs no more than eight other images, and memory has an end`() throws {
    picture.fill(PixelRectangle(x: 0, y: 0, width: 312, height: 675), with: 0xFFFF_FFFF)
    try show()
    // A row of tiles from each of twelve records, one after the other.
    func row(_ number: Int) {
      var generator = SeededGenerator(UInt64(number) + 50)
      for y in number * 32..<number * 32 + 32 {
        for x in 0..<312 { picture.pixels[y * 312 + x] = 0xFF00_0000 | UInt32(generator.next() & 0xFF_FFFF) }
      }
    }
    for number in 0..<12 {
      row(number)
      try show()
    }
    picture.fill(PixelRectangle(x: 0, y: 0, width: 312, height: 675), with: 0xFFFF_FFFF)
    try show()
    for number in 0..<12 { row(number) }
    let record = try show()
    #expect(Set(record.references.map(\.back)).count == 8 && record.tiles.count == 40)
    let memory = TileMemory()
    let grid = TileGrid(width: 312, height: 675, edge: 32)
    for screen in 0..<30 {
      draw(UInt64(screen) + 100)
      memory.look(at: picture, grid, nil)
      memory.add(0..<grid.count)
      #expect((memory.source(of: 219, after: nil) != nil) == (screen < 18))
    }
  }

  @Test func `references to what is not there are refused, and the picture stays`() throws {
    draw(1)
    try show()
    draw(2)
    try show()
    func record(_ reference: FrameRecord.Reference, edge: Int = 32) -> FrameRecord {
      var record = FrameRecord(timestamp: 0, flags: [], width: 312, height: 675, scale: 205, atlas: Data())
      record.tileEdge = edge
      record.references = [reference]
      return record
    }
    let refused: [FrameRecord] = [
      record(.init(tile: 0, count: 1, back: 3, place: 0)),
      record(.init(tile: 0, count: 2, back: 2, place: 219)),
      record(.init(tile: 0, count: 1, back: 4, place: 0), edge: 16),
      record(.init(tile: 0, count: 1, back: 1, place: 0)),
    ]
    for record in refused {
      #expect(throws: FrameError.self) { try player.show(record) }
      #expect(try #require(player.picture).isEqual(picture))
    }
    // The records that were refused count as well: six records back is the key frame.
    draw(1)
    #expect(try player.show(record(.init(tile: 0, count: 220, back: 6, place: 0))).isEqual(picture))
  }
}
