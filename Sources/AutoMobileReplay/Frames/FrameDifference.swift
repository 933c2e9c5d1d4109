import CAutoMobile

/// What turns the picture that a player has into the one that was taken: first moves, then tiles. For one thread.
///
/// What moved by whole pixels is moved exactly. What scrolled by parts of a pixel, as it does on most phones, is like the
/// rows before without being equal to them; while it goes on, a tile that is like what was moved there is left so, up to
/// one pixel beside its place. As soon as the screen stands, everything is made exact.
final class FrameDifference {
  /// Sizes and places of tiles.
  let grid: TileGrid
  private(set) var moves: [FrameRecord.Move] = []
  /// A byte for each tile: whether it has to be coded.
  private(set) var marks: [UInt8]
  /// Of tiles that have to be coded.
  private(set) var count = 0
  /// Whether the player's picture is, after this, only like the one that was taken.
  private(set) var isNear = false

  private let finder: MoveFinder
  private let drift: DriftFinder
  /// The player's picture with the moves made that were tried last.
  private let moved: Picture
  /// Of tiles, while another way is looked for.
  private var otherMarks: [UInt8]
  /// One, kept so that looking for it allocates nothing.
  private var nearMove: [FrameRecord.Move] = []

  /// A colour may lie so far outside of what is around its place, of 255: what drawing a letter at another part of a pixel does.
  private static let tolerance: Int32 = 8

  init?(_ picture: Picture, edge: Int) {
    guard let moved = Picture(width: picture.width, height: picture.height) else { return nil }
    self.moved = moved
    grid = TileGrid(width: picture.width, height: picture.height, edge: edge)
    finder = MoveFinder(width: picture.width, height: picture.height)
    drift = DriftFinder(width: picture.width, height: picture.height)
    marks = Array(repeating: 0, count: grid.count)
    otherMarks = marks
    nearMove.reserveCapacity(1)
    moves.reserveCapacity(FrameRecord.maximumMoves)
  }

  /// Whether there is any difference; then all tiles that differ are marked, and nothing is moved yet.
  func find(from shown: Picture, to picture: Picture) -> Bool {
    moves.removeAll(keepingCapacity: true)
    isNear = false
    count = am_pixels_changed_tiles(
      shown.pixels, picture.pixels, picture.width, picture.height, grid.edge, &marks)
    return count > 0
  }

  /// Looks for moves that leave fewer tiles to code.
  func findMoves(from shown: Picture, to picture: Picture) {
    guard count >= grid.columns else { return }
    finder.find(from: shown, to: picture)
    if !finder.moves.isEmpty {
      move(finder.moves, shown)
      let left = tilesLeft(picture)
      if left < count { take(finder.moves, left) }
    }
    // A third of the screen for which there is no better word, and it is not where it was a moment ago.
    guard count * 3 > grid.count, !finder.isStill,
      let move = drift.find(from: shown, to: picture, in: finder.changedRows)
    else { return }
    nearMove.removeAll(keepingCapacity: true)
    nearMove.append(move)
    self.move(nearMove, shown)
    let exact = tilesLeft(picture)
    let near = am_pixels_unlike_tiles(
      moved.pixels, picture.pixels, picture.width, picture.height, grid.edge, Self.tolerance, &otherMarks)
    // What is only near costs the eye something, so it has to be worth it.
    guard near * 2 <= count else { return }
    isNear = near + grid.columns < exact
    take(nearMove, isNear ? near : tilesLeft(picture))
  }

  /// Makes the player's picture what it will be.
  func apply(to shown: Picture, from picture: Picture) {
    guard isNear else { return shown.copy(picture) }
    shown.copy(moved)
    am_pixels_copy_tiles(picture.pixels, shown.pixels, picture.width, picture.height, grid.edge, marks)
  }

  /// Uses these moves, which leave so many tiles: those of `otherMarks`.
  private func take(_ candidates: [FrameRecord.Move], _ left: Int) {
    swap(&marks, &otherMarks)
    moves.removeAll(keepingCapacity: true)
    for place in candidates.indices { moves.append(candidates[place]) }
    count = left
  }

  /// How many tiles have to be coded after the moves so that the picture is exact; they are marked in `otherMarks`.
  private func tilesLeft(_ picture: Picture) -> Int {
    am_pixels_changed_tiles(
      moved.pixels, picture.pixels, picture.width, picture.height, grid.edge, &otherMarks)
  }

  private func move(_ moves: [FrameRecord.Move], _ shown: Picture) {
    moved.copy(shown)
    // By their places: without optimisation, an iterator of an array allocates for each element.
    for place in moves.indices { moved.apply(moves[place], of: shown) }
  }
}
