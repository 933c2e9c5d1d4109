import Foundation

extension FrameRecord {
  /// The record's bytes.
  package var bytes: Data {
    let runs = runs
    let length =
      Self.fixedLength + moves.count * Self.moveLength + runs.count * Self.runLength
      + references.count * Self.referenceLength + atlas.count
    var data = Data(capacity: Self.headLength + length)
    data.append(little: Self.magic | UInt32(clamping: 0x30 + Self.version) << 24)
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
    data.append(little: UInt16(clamping: runs.count))
    for run in runs {
      data.append(little: UInt16(clamping: run.lowerBound))
      data.append(little: UInt16(clamping: run.count))
    }
    data.append(little: UInt16(clamping: references.count))
    for reference in references {
      for number in [reference.tile, reference.count, reference.back, reference.place] {
        data.append(little: UInt16(clamping: number))
      }
    }
    data.append(little: columns)
    data.append(little: UInt32(clamping: atlas.count))
    data.append(atlas)
    return data
  }

  /// The tiles, as runs of tiles that follow one another.
  private var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    for tile in tiles.map(Int.init) {
      if let last = runs.last, last.upperBound == tile, last.count < Int(UInt16.max) {
        runs[runs.count - 1] = last.lowerBound..<tile + 1
      } else {
        runs.append(tile..<tile + 1)
      }
    }
    return runs
  }
}

extension Data {
  fileprivate mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
