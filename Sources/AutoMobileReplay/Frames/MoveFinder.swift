import CAutoMobile

/// Finds what scrolled: rows that are elsewhere than in the picture before. For one thread.
final class MoveFinder {
  private let width: Int
  private let height: Int
  private var before: [UInt64]
  private var after: [UInt64]
  private var table: [UInt32]
  private var votes: [UInt32]
  private(set) var moves: [FrameRecord.Move] = []
  /// From the first row that is another to the last.
  private(set) var changedRows = 0..<0
  /// Whether the new picture's rows are as those of the new picture of the time before.
  private(set) var isStill = false

  /// So many rows must say the same before a move is believed, and so high is what is moved.
  static let leastRows = 16

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    before = Array(repeating: 0, count: height)
    after = Array(repeating: 0, count: height)
    var slots = 64
    while slots < height * 2 { slots *= 2 }
    table = Array(repeating: 0, count: slots)
    votes = Array(repeating: 0, count: height * 2)
    moves.reserveCapacity(FrameRecord.maximumMoves)
  }

  /// Fills ``moves`` with where rows of `old` are in `new`; with none when nothing scrolled.
  func find(from old: Picture, to new: Picture) {
    moves.removeAll(keepingCapacity: true)
    let margin = Self.margin(width)
    am_pixels_row_hashes(new.pixels, width, height, margin, width - margin, &before)
    isStill = before == after
    swap(&before, &after)
    am_pixels_row_hashes(old.pixels, width, height, margin, width - margin, &before)
    var top = 0
    while top < height, before[top] == after[top] { top += 1 }
    var bottom = height
    while bottom > top, before[bottom - 1] == after[bottom - 1] { bottom -= 1 }
    changedRows = top..<bottom
    guard top < bottom else { return }
    let shift = am_pixels_vertical_move(
      before, after, top, bottom, Self.leastRows, &table, table.count, &votes)
    guard shift != 0 else { return }
    collect(shift, from: max(top, top + shift), to: min(bottom, bottom + shift))
  }

  /// Scroll indicators, and what lies at the edges, do not move with the rest.
  static func margin(_ width: Int) -> Int { width >= 128 ? 16 : 0 }

  /// The runs of rows that are as they were `shift` rows farther up.
  private func collect(_ shift: Int, from start: Int, to end: Int) {
    var row = start
    while row < end, moves.count < FrameRecord.maximumMoves {
      let first = row
      while row < end, after[row] == before[row - shift] { row += 1 }
      if row - first >= Self.leastRows {
        let from = PixelRectangle(x: 0, y: first - shift, width: width, height: row - first)
        moves.append(FrameRecord.Move(from: from, dx: 0, dy: shift))
      }
      row += 1
    }
  }
}
