import Foundation

extension FrameRecord {
  /// The record's bytes.
  package var bytes: Data {
    let length = Self.fixedLength + moves.count * Self.moveLength + tiles.count * 2 + atlas.count
    var data = Data(capacity: Self.headLength + length)
    data.append(little: Self.magic)
    data.append(little: UInt32(clamping: length))
    data.append(little: timestamp)
    data.append(flags.rawValue)
    data.append(UInt8(clamping: tileEdge / 8))
    data.append(little: UInt16(clamping: width))
    data.append(little: UInt16(clamping: height))
    data.append(little: scale)
    data.append(little: droppedFrames)
    data.append(little: UInt16(clamping: moves.count))
    for move in moves {
      for number in [move.from.x, move.from.y, move.from.width, move.from.height, move.dx, move.dy] {
        data.append(little: Int16(clamping: number))
      }
    }
    data.append(little: UInt16(clamping: tiles.count))
    for tile in tiles { data.append(little: tile) }
    data.append(little: columns)
    data.append(little: UInt32(clamping: atlas.count))
    data.append(atlas)
    return data
  }
}

extension Data {
  fileprivate mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
