import AllocationCounter
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// Screens that scroll by parts of a pixel, as most phones do: moved to the nearest pixel while they move, exact once
/// they stand.
@Suite struct `What drifts` {
  private let encoder = FrameEncoder(codec: RawCodec())
  private let player = FramePlayer(codec: RawCodec())
  private let picture = Picture.make(312, 675)

  /// The record of the picture, which the player has shown; nil when nothing was written.
  private func show(at timestamp: Int64 = 0) throws -> FrameRecord? {
    guard let frame = encoder.encode(picture, at: timestamp) else { return nil }
    let record = try #require(try FrameRecord.all(in: frame.bytes).first)
    try player.show(record)
    return record
  }

  /// The part of the pixels, of every seventh, whose colour is not near that of any of the three rows around their place.
  private func strangers(_ shown: Picture) -> Double {
    var count = 0
    for place in stride(from: shown.width, to: shown.count - shown.width, by: 7) {
      let above = Int(shown.pixels[place - shown.width] & 255)
      let here = Int(shown.pixels[place] & 255)
      let below = Int(shown.pixels[place + shown.width] & 255)
      let value = Int(picture.pixels[place] & 255)
      if value < min(above, here, below) - 8 || value > max(above, here, below) + 8 { count += 1 }
    }
    return Double(count * 7) / Double(shown.count)
  }

  @Test(arguments: [3.4, 12.3, 58.4, -58.5])
  func `a list is moved to the nearest pixel, and is exact once it stands`(step: Double) throws {
    var offset = 1000.0
    picture.drawDrifting(offset)
    _ = try show()
    var tiles = 0
    for _ in 0..<9 {
      offset += step
      picture.drawDrifting(offset)
      let record = try #require(try show())
      #expect(!record.flags.contains(.key) && record.moves.count <= 1)
      tiles += record.tiles.count
      let shown = try #require(player.picture)
      #expect(strangers(shown) <= 1.0 / 256, "nothing is farther than a row from its place")
      #expect(!record.moves.isEmpty || shown.isEqual(picture))
    }
    #expect(tiles <= 9 * (Int(abs(step)) / 32 + 4) * 10, "hardly more than what came in: \(tiles)")
    _ = try show()
    #expect(try #require(player.picture).isEqual(picture), "it stands: everything is as it was taken")
    #expect(try show() == nil)
  }

  @Test func `what scrolls by whole pixels is exact in every frame`() throws {
    for offset in stride(from: 0.0, through: 600, by: 60) {
      picture.drawDrifting(offset)
      _ = try show()
      #expect(try #require(player.picture).isEqual(picture))
    }
  }

  @Test func `another text is not taken for one that moved`() throws {
    picture.drawDrifting(0)
    _ = try show()
    picture.drawDrifting(5_000.5)
    let record = try #require(try show())
    #expect(record.moves.isEmpty && record.tiles.count > 176)
    #expect(try #require(player.picture).isEqual(picture))
  }

  /// Cards with words on a ground that is hardly darker than they are, the first of them `top` pixels down.
  private func drawCards(from top: Int) {
    picture.fill(PixelRectangle(x: 0, y: 0, width: 312, height: 675), with: 0xFFF2_F2F7)
    for card in 0..<6 {
      let y = top + card * 84
      picture.fill(PixelRectangle(x: 16, y: y, width: 280, height: 60), with: 0xFFFF_FFFF)
      for letter in 0..<9 {
        picture.fill(
          PixelRectangle(x: 30 + letter * 9, y: y + 20 + (letter + card) % 3, width: 5, height: 9), with: 0xFF30_3030)
      }
    }
  }

  @Test(arguments: [31, 60, 97]) func `what is pushed down by something new leaves no trace`(_ by: Int) throws {
    drawCards(from: 80)
    _ = try show()
    drawCards(from: 80 + by)
    picture.fill(PixelRectangle(x: 16, y: 80, width: 120, height: by - 8), with: 0xFFFF_FFFF)
    _ = try show()
    let shown = try #require(player.picture)
    #expect(strangers(shown) <= 1.0 / 1024)
    #expect(shown.colour(x: 20, y: 80 + by - 9) == 0xFFFF_FFFF)
  }

  @Test func `what changes while it scrolls is coded at once`() throws {
    picture.drawDrifting(0)
    _ = try show()
    let badge = PixelRectangle(x: 140, y: 300, width: 40, height: 24)
    for step in 1...5 {
      picture.drawDrifting(Double(step) * 20.4)
      picture.fill(badge, with: 0xFF00_00FF | UInt32(step * 40) << 16)
      let record = try #require(try show())
      #expect(!record.moves.isEmpty)
      let shown = try #require(player.picture)
      #expect(shown.colour(x: 160, y: 312) == picture.colour(x: 160, y: 312))
    }
  }

  @Test func `any scrolling and changing is exact once it stands`() throws {
    var generator = SeededGenerator(11)
    var offset = 0.0
    for _ in 0..<50 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: break
      case 1: offset += Double.random(in: -3...3, using: &generator)
      case 2: offset += Double.random(in: -200...200, using: &generator)
      default: offset = Double(Int(offset) + Int.random(in: -40...40, using: &generator))
      }
      picture.drawDrifting(offset)
      _ = try show()
      guard Bool.random(using: &generator) else { continue }
      _ = try show()
      #expect(try #require(player.picture).isEqual(picture))
    }
  }

  @Test(.enabled(if: allocation_counter_available())) func `looking for what drifted allocates nothing`() throws {
    let (old, new) = (Picture.make(312, 675), Picture.make(312, 675))
    old.drawDrifting(0)
    new.drawDrifting(30.5)
    let difference = try #require(FrameDifference(old, edge: 32))
    // There and back, since a picture that is as the one before is not looked for elsewhere.
    func look() {
      if difference.find(from: new, to: old) { difference.findMoves(from: new, to: old) }
      if difference.find(from: old, to: new) { difference.findMoves(from: old, to: new) }
    }
    look()
    let before = allocation_counter_thread_count()
    for _ in 0..<10 { look() }
    #expect(allocation_counter_thread_count() == before)
    #expect(difference.isNear && [-30, -31].contains(difference.moves.first?.dy))
  }
}
