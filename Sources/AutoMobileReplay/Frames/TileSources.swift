/// Where the tiles that changed come from: those that a player has had before are told by where, the others are coded. For
/// one thread.
final class TileSources {
  /// A byte for each tile: whether it has to be coded.
  private(set) var marks: [UInt8] = []
  /// Of tiles that have to be coded.
  private(set) var count = 0
  private(set) var references: [FrameRecord.Reference] = []

  private let memory = TileMemory()
  private var sample: [UInt8] = []
  /// Records that are referred to.
  private var used: [Int] = []

  /// So many tiles tell whether a screen is known.
  private static let samples = 16

  /// A key frame was written: nothing that was before it is known any more.
  ///
  /// - Parameter remembers: whether somebody may come back to what it shows.
  func begin(_ picture: Picture, _ grid: TileGrid, remembers: Bool) {
    memory.forget()
    if remembers { memory.look(at: picture, grid, nil) }
    memory.add(remembers ? 0..<grid.count : 0..<0)
  }

  /// Whether most of what changed seems to have been on the screen before. Then nothing has moved there.
  func isKnown(_ picture: Picture, _ difference: FrameDifference) -> Bool {
    guard !memory.isEmpty else { return false }
    if sample.count != difference.marks.count { sample = Array(repeating: 0, count: difference.marks.count) }
    let step = difference.count / max(1, Self.samples)
    var (seen, taken, known) = (0, 0, 0)
    for tile in sample.indices {
      sample[tile] = 0
      guard difference.marks[tile] != 0 else { continue }
      if seen % max(1, step) == 0 { sample[tile] = 1 }
      seen += 1
    }
    memory.look(at: picture, difference.grid, sample)
    for tile in sample.indices where sample[tile] != 0 {
      taken += 1
      known += memory.source(of: tile, after: nil) == nil ? 0 : 1
    }
    return known * 4 >= taken * 3
  }

  /// Looks where the tiles come from that differ.
  func find(_ picture: Picture, _ difference: FrameDifference) {
    marks = difference.marks
    count = difference.count
    references.removeAll(keepingCapacity: true)
    used.removeAll(keepingCapacity: true)
    guard count > 0 else { return }
    memory.look(at: picture, difference.grid, marks)
    var previous: (tile: Int, source: TileMemory.Source)?
    for tile in marks.indices where marks[tile] != 0 {
      let before = previous?.tile == tile - 1 ? previous?.source : nil
      guard let source = memory.source(of: tile, after: before), canUse(source.record) else { continue }
      previous = (tile, source)
      marks[tile] = 0
      count -= 1
      refer(tile, to: source)
    }
  }

  /// The record was written, with an image of the tiles that are marked.
  func remember() { memory.add(marks.indices.lazy.filter { [marks] in marks[$0] != 0 }) }

  private func canUse(_ record: Int) -> Bool {
    guard memory.records - record <= FrameRecord.farthest else { return false }
    guard !used.contains(record) else { return true }
    guard used.count < FrameRecord.maximumSources else { return false }
    used.append(record)
    return true
  }

  private func refer(_ tile: Int, to source: TileMemory.Source) {
    let back = memory.records - source.record
    if let last = references.last, last.back == back, last.tile + last.count == tile,
      last.place + last.count == source.place
    {
      references[references.count - 1].count += 1
    } else {
      references.append(FrameRecord.Reference(tile: tile, count: 1, back: back, place: source.place))
    }
  }
}
