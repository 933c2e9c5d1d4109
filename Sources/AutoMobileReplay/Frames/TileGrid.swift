/// How a picture is cut into tiles: row-major from the top left; those at the right and the bottom may stick out.
struct TileGrid: Equatable {
  let width: Int
  let height: Int
  let edge: Int
  let columns: Int
  let rows: Int
  var count: Int { columns * rows }

  init(width: Int, height: Int, edge: Int) {
    self.width = width
    self.height = height
    self.edge = max(8, edge)
    columns = (width + self.edge - 1) / max(1, self.edge)
    rows = (height + self.edge - 1) / max(1, self.edge)
  }

  /// Where a tile begins.
  func place(_ tile: Int) -> (x: Int, y: Int) { (tile % max(1, columns) * edge, tile / max(1, columns) * edge) }
}
