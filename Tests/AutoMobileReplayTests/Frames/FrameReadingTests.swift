import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// Frames come from files that may be torn, and from networks: nothing in them is believed.
@Suite struct `Frames as they are read` {
  private func sample(_ seed: UInt64 = 5) -> FrameRecord {
    var record = FrameRecord(
      timestamp: 1_700_000_000_123, flags: [], width: 100, height: 70, scale: 205, atlas: Data([1, 2, 3]))
    record.moves = [.init(from: PixelRectangle(x: 0, y: 10, width: 100, height: 20), dx: 0, dy: -7)]
    record.tiles = [0, 3, 4]
    record.references = [.init(tile: 8, count: 3, back: 2, place: 1)]
    record.columns = 2
    record.droppedFrames = 9
    return record
  }

  @Test func `a record is read as it was written`() throws {
    let record = sample()
    #expect(try FrameRecord.all(in: record.bytes) == [record])
    #expect(record.bytes.count == 8 + 30 + 12 + 8 + 8 + 3)
    let layout: [UInt8] = [0x41, 0x4D, 0x46, 0x32, 61, 0, 0, 0]
    #expect(record.bytes.prefix(8).elementsEqual(layout))
  }

  @Test func `records of the first version are read, also between others`() throws {
    var first = sample()
    (first.tiles, first.references) = ([0, 11, 3], [])
    // Its head and its moves are the same; then come the numbers of the tiles, and the atlas.
    var old = first.bytes.prefix(8 + 20 + 12)
    old[3] = 0x31
    old[4] = 49
    old.append(contentsOf: [3, 0, 0, 0, 11, 0, 3, 0, 2, 0, 3, 0, 0, 0, 1, 2, 3])
    #expect(try FrameRecord.all(in: sample().bytes + old + sample().bytes) == [sample(), first, sample()])
  }

  @Test(arguments: ["0", "3", "9"]) func `a record of a later version is refused, and not taken for the end`(
    digit: String
  )
    throws
  {
    var reader = FrameReader(sample().bytes + Data("AMF\(digit)....".utf8))
    #expect(try reader.next() == sample())
    #expect(throws: FrameError(offset: 69, reason: "version \(digit) of the format")) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  @Test func `records follow one another, whatever a later version puts at their ends`() throws {
    var longer = sample().bytes
    longer.append(contentsOf: [9, 9, 9])
    longer[4] += 3
    longer[16] |= 0x80
    let bytes = longer + sample().bytes
    let records = try FrameRecord.all(in: bytes)
    #expect(records.count == 2)
    #expect(records[0].flags.rawValue == 0x80)
    #expect(records[1] == sample())
  }

  @Test func `what does not begin like a record ends the segment`() throws {
    #expect(try FrameRecord.all(in: Data()).isEmpty)
    #expect(try FrameRecord.all(in: Data("AMFX....".utf8)).isEmpty)
    #expect(try FrameRecord.all(in: sample().bytes + Data("BMF2".utf8)).count == 1)
    #expect(try FrameRecord.all(in: sample().bytes + Data([0, 0])).count == 1)
  }

  @Test func `a torn record is said to be one`() {
    let whole = sample().bytes
    for length in 4..<whole.count {
      #expect(throws: FrameError.self, "\(length) bytes") { try FrameRecord.all(in: whole.prefix(length)) }
    }
  }

  @Test func `after a bad record the reader goes on with the next`() throws {
    var bad = sample().bytes
    bad[18] = 0
    bad[19] = 0
    var reader = FrameReader(bad + sample().bytes)
    #expect(throws: FrameError(offset: 0, reason: "a size of 0 × 70")) { try reader.next() }
    #expect(try reader.next() == sample())
    #expect(try reader.next() == nil)
  }

  @Test func `numbers that cannot be are refused`() {
    func broken(_ change: (inout FrameRecord) -> Void) -> Data {
      var record = sample()
      change(&record)
      return record.bytes
    }
    let samples: [(String, Data)] = [
      ("too large", broken { $0.width = 65_535 }),
      ("too many pixels", broken { ($0.width, $0.height) = (8192, 8192) }),
      ("no edge", broken { $0.tileEdge = 0 }),
      ("a tile outside", broken { $0.tiles = [12] }),
      ("more tiles than there are", broken { $0.tiles = Array(repeating: 0, count: 13) }),
      ("a run of none", broken { $0.references[0].count = 0 }),
      ("a reference to itself", broken { $0.references[0].back = 0 }),
      ("a reference too far back", broken { $0.references[0].back = 1001 }),
      ("a reference for tiles outside", broken { $0.references[0].tile = 10 }),
      ("a reference to tiles outside", broken { $0.references[0].place = 10 }),
      (
        "more tiles referred to than there are", broken { $0.references = Array(repeating: $0.references[0], count: 5) }
      ),
      (
        "more images than one record may need",
        broken { record in
          record.references = (1...9).map { .init(tile: $0, count: 1, back: $0, place: 0) }
        }
      ),
      ("no columns", broken { $0.columns = 0 }),
      ("more columns than tiles", broken { $0.columns = 4 }),
      ("no atlas", broken { $0.atlas = Data() }),
      ("a key frame without a picture", broken { ($0.flags, $0.atlas, $0.tiles) = (.key, Data(), []) }),
      ("a move from outside", broken { $0.moves[0].from.x = 1 }),
      ("a move from before", broken { $0.moves[0].from.y = -1 }),
      ("a move to outside", broken { $0.moves[0].dy = 60 }),
      ("a move of nothing", broken { $0.moves[0].from.width = 0 }),
      ("a move of less", broken { $0.moves[0].from.height = -5 }),
      ("many moves", broken { $0.moves = Array(repeating: $0.moves[0], count: 65) }),
    ]
    for (name, bytes) in samples {
      #expect(throws: FrameError.self, "\(name)") { try FrameRecord.all(in: bytes) }
    }
    var huge = sample().bytes
    huge.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: FrameError.self) { try FrameRecord.all(in: huge) }
    huge.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    #expect(throws: FrameError.self) { try FrameRecord.all(in: huge) }
  }

  @Test func `no bytes bring the reader or the player down`() {
    var generator = SeededGenerator(99)
    let encoder = FrameEncoder(codec: RawCodec())
    let picture = Picture.make(64, 48)
    var stream = Data()
    for step in 0..<6 {
      picture.drawList(offset: step * 3, top: 8, bottom: 8)
      stream.append(encoder.encode(picture, at: Int64(step))?.bytes ?? Data())
    }
    for _ in 0..<3000 {
      var bytes = stream
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        // Most often in the first record's head, where it hurts.
        let end = Bool.random(using: &generator) ? 64 : bytes.count
        bytes[Int.random(in: 0..<end, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)) }
      var reader = FrameReader(bytes)
      let player = FramePlayer(codec: RawCodec())
      for _ in 0..<100 {
        do {
          guard let record = try reader.next() else { break }
          try player.show(record)
        } catch {}
      }
    }
  }

  @Test func `bytes in the middle of others are read as well`() throws {
    let bytes = Data([7, 7, 7]) + sample().bytes
    #expect(try FrameRecord.all(in: bytes.dropFirst(3)) == [sample()])
  }

  @Test func `a player waits for a key frame, and refuses what does not fit`() throws {
    let player = FramePlayer(codec: RawCodec())
    #expect(throws: FrameError.self) { try player.show(sample()) }
    let picture = Picture.make(100, 70)
    let encoder = FrameEncoder(codec: RawCodec())
    let key = try #require(encoder.encode(picture, at: 0))
    try player.show(FrameRecord.all(in: key.bytes)[0])
    #expect(throws: FrameError.self, "three bytes are no atlas") { try player.show(sample()) }
    #expect(try #require(player.picture).isEqual(picture))
    var other = sample()
    other.width = 99
    #expect(throws: FrameError.self) { try player.show(other) }
  }
}
