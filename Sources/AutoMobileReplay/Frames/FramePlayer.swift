import CAutoMobile
import Foundation

/// Makes pictures of frame records again, as a player does. For one thread at a time.
package final class FramePlayer {
  private let codec: any PictureCodec
  /// What is on the screen; nil before the first key frame.
  package private(set) var picture: Picture?
  private var before: Picture?

  package init(codec: any PictureCodec) { self.codec = codec }

  /// Shows the next record.
  ///
  /// - Throws: ``FrameError`` when it cannot be shown; the picture then stays as it was.
  @discardableResult
  package func show(_ record: FrameRecord) throws -> Picture {
    if record.flags.contains(.key) {
      guard let whole = codec.decode(record.atlas), whole.width == record.width, whole.height == record.height else {
        throw FrameError(offset: 0, reason: "no JPEG of \(record.width) × \(record.height)")
      }
      picture = whole
      return whole
    }
    guard let picture, picture.width == record.width, picture.height == record.height else {
      throw FrameError(offset: 0, reason: "no key frame before it")
    }
    let atlas = try atlas(record)
    makeMoves(record, picture)
    if let atlas { putTiles(record, atlas, picture) }
    return picture
  }

  private func atlas(_ record: FrameRecord) throws -> Picture? {
    guard !record.tiles.isEmpty else { return nil }
    let columns = max(1, Int(record.columns))
    let step = TileAtlas.step(record.tileEdge)
    let rows = (record.tiles.count + columns - 1) / columns
    guard let atlas = codec.decode(record.atlas), atlas.width >= columns * step, atlas.height >= rows * step else {
      throw FrameError(offset: 0, reason: "no JPEG with \(record.tiles.count) tiles")
    }
    return atlas
  }

  private func makeMoves(_ record: FrameRecord, _ picture: Picture) {
    guard !record.moves.isEmpty else { return }
    if before?.hasSize(of: picture) != true { before = Picture(width: picture.width, height: picture.height) }
    guard let before else { return }
    before.copy(picture)
    for move in record.moves { picture.apply(move, of: before) }
  }

  private func putTiles(_ record: FrameRecord, _ atlas: Picture, _ picture: Picture) {
    let grid = TileGrid(width: record.width, height: record.height, edge: record.tileEdge)
    let step = TileAtlas.step(record.tileEdge)
    for (index, tile) in record.tiles.enumerated() {
      let from = TileAtlas.place(index, columns: Int(record.columns), step: step)
      let to = grid.place(Int(tile))
      for row in 0..<min(grid.edge, picture.height - to.y) {
        let source = atlas.pixels + (from.y + row) * atlas.width + from.x
        let target = picture.pixels + (to.y + row) * picture.width + to.x
        target.update(from: source, count: min(grid.edge, picture.width - to.x))
      }
    }
  }
}

extension Picture {
  /// Copies what a move names from another picture of this size.
  func apply(_ move: FrameRecord.Move, of source: Picture) {
    guard hasSize(of: source), move.from.isInside(width: width, height: height),
      move.to.isInside(width: width, height: height)
    else { return }
    am_pixels_copy(
      source.pixels, pixels, width, move.from.x, move.from.y, move.from.width, move.from.height, move.to.x, move.to.y)
  }
}
