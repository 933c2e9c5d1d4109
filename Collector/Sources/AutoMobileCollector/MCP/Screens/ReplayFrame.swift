import NIOCore

/// A frame of a replay, as it stands in a segment (*Replay format*): a whole picture, or what changed since the one before.
struct ReplayFrame {
  struct Move {
    var x, y, width, height, dx, dy: Int
  }

  struct Reference {
    var tile, count, back, place: Int
  }

  var timestamp: Int64
  var isKey: Bool
  var edge: Int
  var width: Int
  var height: Int
  var moves: [Move] = []
  var tiles: [Int] = []
  var references: [Reference] = []
  var columns = 1
  var atlas: [UInt8] = []

  /// No screen that is looked at here has more pixels.
  static let mostPixels = 4 << 20
  var grid: (columns: Int, rows: Int) { ((width + edge - 1) / edge, (height + edge - 1) / edge) }

  /// The next frame of a segment; nil at its end, and where what stands there is none: bytes of strangers may be anything.
  init?(_ bytes: inout ByteBuffer) {
    guard let magic = bytes.readBytes(length: 4), magic.starts(with: Array("AMF".utf8)),
      FrameFormat.versions.contains(Int(magic[3]) - 0x30),
      let length = bytes.readInteger(endianness: .little, as: UInt32.self),
      var body = bytes.readSlice(length: Int(length)),
      let time = body.readInteger(endianness: .little, as: Int64.self),
      let flags = body.readInteger(as: UInt8.self), let edge = body.readInteger(as: UInt8.self),
      let width = Self.number(&body), let height = Self.number(&body), body.readBytes(length: 4) != nil,
      let moves = Self.number(&body), moves <= 64
    else { return nil }
    (timestamp, isKey, self.edge) = (time, flags & 1 != 0, Int(edge) * 8)
    (self.width, self.height) = (width, height)
    guard self.edge >= 8, (1...8192).contains(width), (1...8192).contains(height), width * height <= Self.mostPixels
    else { return nil }
    for _ in 0..<moves {
      let numbers = (0..<6).compactMap { _ in body.readInteger(endianness: .little, as: Int16.self).map(Int.init) }
      guard numbers.count == 6 else { return nil }
      self.moves.append(
        Move(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], dx: numbers[4], dy: numbers[5]))
    }
    guard readTiles(&body, version: Int(magic[3]) - 0x30), let columns = Self.number(&body),
      let size = body.readInteger(endianness: .little, as: UInt32.self), let atlas = body.readBytes(length: Int(size))
    else { return nil }
    (self.columns, self.atlas) = (max(1, columns), atlas)
  }

  private mutating func readTiles(_ body: inout ByteBuffer, version: Int) -> Bool {
    let all = grid.columns * grid.rows
    guard let count = Self.number(&body) else { return false }
    for _ in 0..<count {
      guard let first = Self.number(&body), let following = version == 1 ? 1 : Self.number(&body), following > 0,
        first + following <= all, tiles.count + following <= all
      else { return false }
      tiles += first..<first + following
    }
    guard version > 1 else { return true }
    guard let count = Self.number(&body) else { return false }
    var left = all
    for _ in 0..<count {
      guard let tile = Self.number(&body), let tiles = Self.number(&body), let back = Self.number(&body),
        let place = Self.number(&body), tiles > 0, tile + tiles <= all, (1...1000).contains(back), tiles <= left
      else { return false }
      left -= tiles
      references.append(Reference(tile: tile, count: tiles, back: back, place: place))
    }
    return Set(references.map(\.back)).count <= 8
  }

  private static func number(_ body: inout ByteBuffer) -> Int? {
    body.readInteger(endianness: .little, as: UInt16.self).map(Int.init)
  }
}
