import CAutoMobile
import Foundation

/// Makes pictures of frame records again, as a player does. For one thread at a time.
package final class FramePlayer {
  private let codec: any PictureCodec
  /// What is on the screen; nil before the first key frame.
  package private(set) var picture: Picture?
  private var before: Picture?
  private var images = TileImages()

  package init(codec: any PictureCodec) { self.codec = codec }

  /// Shows the next record.
  ///
  /// - Throws: ``FrameError`` when it cannot be shown; the picture then stays as it was.
  @discardableResult
  package func show(_ record: FrameRecord) throws -> Picture {
    images.add(record)
    if record.flags.contains(.key) {
      guard let whole = codec.decode(record.atlas), whole.width == record.width, whole.height == record.height else {
        throw FrameError(offset: 0, reason: "no image of \(record.width) × \(record.height)")
      }
      picture = whole
      return whole
    }
    guard let picture, picture.width == record.width, picture.height == record.height else {
      throw FrameError(offset: 0, reason: "no key frame before it")
    }
    let pieces = try images.pieces(of: record, codec)
    makeMoves(record, picture)
    for piece in pieces { put(piece, record.tileEdge, picture) }
    return picture
  }

  private func makeMoves(_ record: FrameRecord, _ picture: Picture) {
    guard !record.moves.isEmpty else { return }
    if before?.hasSize(of: picture) != true { before = Picture(width: picture.width, height: picture.height) }
    guard let before else { return }
    before.copy(picture)
    for move in record.moves { picture.apply(move, of: before) }
  }

  /// As much of a tile as is in the image and in the picture.
  private func put(_ piece: TileImages.Piece, _ edge: Int, _ picture: Picture) {
    let width = min(edge, piece.image.width - piece.from.x, picture.width - piece.to.x)
    let height = min(edge, piece.image.height - piece.from.y, picture.height - piece.to.y)
    guard width > 0, height > 0 else { return }
    for row in 0..<height {
      let source = piece.image.pixels + (piece.from.y + row) * piece.image.width + piece.from.x
      let target = picture.pixels + (piece.to.y + row) * picture.width + piece.to.x
      target.update(from: source, count: width)
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
