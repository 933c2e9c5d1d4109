import CAutoMobile

/// The changed tiles of a picture, side by side in a picture of their own.
struct TileAtlas {
  let picture: Picture
  let columns: Int
  let tiles: [UInt16]

  /// Of the tiles that are marked, `count` in number.
  init?(_ source: Picture, _ grid: TileGrid, _ marks: [UInt8], count: Int) {
    let columns = Self.columns(count)
    // Tiles begin at multiples of 16 pixels, so that no block of the JPEG holds parts of two.
    let step = Self.step(grid.edge)
    let rows = (count + columns - 1) / max(1, columns)
    guard let picture = Picture(width: columns * step, height: rows * step) else { return nil }
    var tiles: [UInt16] = []
    tiles.reserveCapacity(count)
    for tile in 0..<grid.count where marks[tile] != 0 {
      let from = grid.place(tile)
      let to = Self.place(tiles.count, columns: columns, step: step)
      guard to.y + step <= picture.height else { return nil }
      am_pixels_take_tile(
        source.pixels, source.width, source.height, from.x, from.y, step, picture.pixels, picture.width, to.x, to.y)
      tiles.append(UInt16(clamping: tile))
    }
    self.picture = picture
    self.columns = columns
    self.tiles = tiles
  }

  /// Nearly square, as JPEG likes it no less than any other shape, and no wider than a screen.
  static func columns(_ count: Int) -> Int {
    var columns = 1
    while columns * columns < count { columns += 1 }
    return min(columns, 64)
  }

  static func step(_ edge: Int) -> Int { (edge + 15) / 16 * 16 }

  static func place(_ index: Int, columns: Int, step: Int) -> (x: Int, y: Int) {
    (index % max(1, columns) * step, index / max(1, columns) * step)
  }
}
