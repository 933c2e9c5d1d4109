import Foundation

/// What is wrong with the bytes of a frame. It says where, and never what a picture shows.
package struct FrameError: Error, Equatable, CustomStringConvertible {
  package var offset: Int
  package var reason: String

  package init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  package var description: String { "frame at byte \(offset): \(reason)" }
}

/// Reads frame records, one after the other. Bytes may be anything: nothing is taken for granted, and no record can ask
/// for more memory than its own bytes and a picture of the largest size.
package struct FrameReader {
  private let bytes: Data
  private var offset: Int

  package init(_ bytes: Data) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  /// The next record; nil at the end, and where no record begins: what follows is not for this reader.
  ///
  /// - Throws: ``FrameError`` when a record begins that cannot be read, also because it is of a later version. The reader
  ///   then is at the record's end when that is known, else at the end.
  package mutating func next() throws -> FrameRecord? {
    var cursor = Cursor(bytes: bytes, at: offset, end: bytes.endIndex)
    guard let magic: UInt32 = cursor.take(), magic & 0xFF_FFFF == FrameRecord.magic, (0x30...0x39).contains(magic >> 24)
    else {
      offset = bytes.endIndex
      return nil
    }
    let start = offset - bytes.startIndex
    let version = Int(magic >> 24) - 0x30
    guard (1...FrameRecord.version).contains(version) else { throw finish(start, "version \(version) of the format") }
    guard let length: UInt32 = cursor.take() else { throw finish(start, "it ends within its length") }
    let following = Int(length)
    guard following <= FrameRecord.maximumLength else { throw finish(start, "a length of \(following) bytes") }
    guard following <= bytes.endIndex - cursor.at else { throw finish(start, "it ends too early") }
    cursor.end = cursor.at + following
    offset = cursor.end
    return try Self.read(&cursor, version, start: start)
  }

  private mutating func finish(_ start: Int, _ reason: String) -> FrameError {
    offset = bytes.endIndex
    return FrameError(offset: start, reason: reason)
  }

  private static func read(_ cursor: inout Cursor, _ version: Int, start: Int) throws -> FrameRecord {
    func fail(_ reason: String) -> FrameError { FrameError(offset: start, reason: reason) }
    guard let timestamp: Int64 = cursor.take(), let flags: UInt8 = cursor.take(), let edge: UInt8 = cursor.take(),
      let width: UInt16 = cursor.take(), let height: UInt16 = cursor.take(), let scale: UInt16 = cursor.take(),
      let dropped: UInt16 = cursor.take(), let moves: UInt16 = cursor.take()
    else { throw fail("it is shorter than its head") }
    guard Picture.isValid(width: Int(width), height: Int(height)) else { throw fail("a size of \(width) × \(height)") }
    var record = FrameRecord(
      timestamp: timestamp, flags: .init(rawValue: flags), width: Int(width), height: Int(height), scale: scale,
      atlas: Data())
    record.droppedFrames = dropped
    record.tileEdge = Int(edge) * 8
    guard record.tileEdge >= 8 else { throw fail("tiles without an edge") }
    guard moves <= FrameRecord.maximumMoves else { throw fail("\(moves) moves") }
    for _ in 0..<Int(moves) {
      guard let move = cursor.takeMove() else { throw fail("it ends within its moves") }
      guard move.from.isInside(width: record.width, height: record.height),
        move.to.isInside(width: record.width, height: record.height)
      else { throw fail("a move from or to outside of the picture") }
      record.moves.append(move)
    }
    let grid = TileGrid(width: record.width, height: record.height, edge: record.tileEdge)
    if version == 1 {
      try readTiles(&cursor, &record, grid, fail)
    } else {
      try readRuns(&cursor, &record, grid, fail)
      try readReferences(&cursor, &record, grid, fail)
    }
    try readAtlas(&cursor, &record, fail)
    return record
  }

  private static func readTiles(
    _ cursor: inout Cursor, _ record: inout FrameRecord, _ grid: TileGrid, _ fail: (String) -> FrameError
  ) throws {
    guard let count: UInt16 = cursor.take() else { throw fail("it ends before its tiles") }
    guard Int(count) <= grid.count else { throw fail("\(count) tiles of \(grid.count)") }
    record.tiles.reserveCapacity(Int(count))
    for _ in 0..<Int(count) {
      guard let tile: UInt16 = cursor.take() else { throw fail("it ends within its tiles") }
      guard Int(tile) < grid.count else { throw fail("tile \(tile) of \(grid.count)") }
      record.tiles.append(tile)
    }
  }

  private static func readRuns(
    _ cursor: inout Cursor, _ record: inout FrameRecord, _ grid: TileGrid, _ fail: (String) -> FrameError
  ) throws {
    guard let runs: UInt16 = cursor.take() else { throw fail("it ends before its tiles") }
    for _ in 0..<Int(runs) {
      guard let first: UInt16 = cursor.take(), let count: UInt16 = cursor.take() else {
        throw fail("it ends within its tiles")
      }
      let end = Int(first) + Int(count)
      guard count > 0, end <= min(grid.count, 1 << 16), record.tiles.count + Int(count) <= grid.count else {
        throw fail("\(count) tiles from \(first) of \(grid.count)")
      }
      for tile in Int(first)..<end { record.tiles.append(UInt16(clamping: tile)) }
    }
  }

  private static func readReferences(
    _ cursor: inout Cursor, _ record: inout FrameRecord, _ grid: TileGrid, _ fail: (String) -> FrameError
  ) throws {
    guard let count: UInt16 = cursor.take() else { throw fail("it ends before its references") }
    var left = grid.count
    var sources: Set<Int> = []
    for _ in 0..<Int(count) {
      guard let tile: UInt16 = cursor.take(), let tiles: UInt16 = cursor.take(), let back: UInt16 = cursor.take(),
        let place: UInt16 = cursor.take()
      else { throw fail("it ends within its references") }
      left -= Int(tiles)
      sources.insert(Int(back))
      guard tiles > 0, Int(tile) + Int(tiles) <= grid.count, Int(place) + Int(tiles) <= grid.count, left >= 0,
        (1...FrameRecord.farthest).contains(Int(back)), sources.count <= FrameRecord.maximumSources
      else { throw fail("\(tiles) tiles from \(tile), which \(back) records back are from \(place)") }
      record.references.append(
        FrameRecord.Reference(tile: Int(tile), count: Int(tiles), back: Int(back), place: Int(place)))
    }
  }

  private static func readAtlas(
    _ cursor: inout Cursor, _ record: inout FrameRecord, _ fail: (String) -> FrameError
  ) throws {
    guard let columns: UInt16 = cursor.take(), let length: UInt32 = cursor.take() else {
      throw fail("it ends before its atlas")
    }
    guard columns > 0 || record.tiles.isEmpty, Int(columns) <= max(1, record.tiles.count) else {
      throw fail("an atlas of \(columns) columns")
    }
    guard let atlas = cursor.take(Int(length)) else { throw fail("an atlas of \(length) bytes") }
    guard !atlas.isEmpty || (record.tiles.isEmpty && !record.flags.contains(.key)) else { throw fail("no atlas") }
    record.columns = columns
    record.atlas = atlas
  }
}

/// A place in bytes that does not leave them.
private struct Cursor {
  let bytes: Data
  var at: Int
  var end: Int

  mutating func take<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
    let size = MemoryLayout<Number>.size
    guard end - at >= size else { return nil }
    var number = Number.zero
    withUnsafeMutableBytes(of: &number) { _ = bytes.copyBytes(to: $0, from: at..<at + size) }
    at += size
    return Number(littleEndian: number)
  }

  mutating func take(_ count: Int) -> Data? {
    guard count >= 0, end - at >= count else { return nil }
    at += count
    return bytes.subdata(in: at - count..<at)
  }

  mutating func takeMove() -> FrameRecord.Move? {
    guard let x: Int16 = take(), let y: Int16 = take(), let width: Int16 = take(), let height: Int16 = take(),
      let dx: Int16 = take(), let dy: Int16 = take()
    else { return nil }
    let from = PixelRectangle(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
    return FrameRecord.Move(from: from, dx: Int(dx), dy: Int(dy))
  }
}
