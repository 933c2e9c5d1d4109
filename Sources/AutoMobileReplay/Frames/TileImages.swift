import Foundation

/// The images of the records since the last key frame, of which later ones show tiles again. For one thread at a time.
struct TileImages {
  /// One record's, as it came: a hundred screens of bytes are less than one of pixels.
  private struct Image {
    var atlas: Data
    var isKey: Bool
    var grid: TileGrid
    var columns: Int
    var count: Int

    init(_ record: FrameRecord) {
      atlas = record.atlas
      isKey = record.flags.contains(.key)
      grid = TileGrid(width: record.width, height: record.height, edge: record.tileEdge)
      columns = max(1, Int(record.columns))
      count = isKey ? grid.count : record.tiles.count
    }

    var rows: Int { (count + columns - 1) / max(1, columns) }

    func decoded(_ codec: any PictureCodec) -> Picture? {
      guard let picture = codec.decode(atlas) else { return nil }
      guard !isKey else { return picture.width == grid.width && picture.height == grid.height ? picture : nil }
      let step = TileAtlas.step(grid.edge)
      return picture.width >= columns * step && picture.height >= rows * step ? picture : nil
    }

    func origin(_ place: Int) -> (x: Int, y: Int) {
      isKey ? grid.place(place) : TileAtlas.place(place, columns: columns, step: TileAtlas.step(grid.edge))
    }
  }

  /// From the key frame on; of a long segment the last ones.
  private var images: [Image] = []

  /// A tile of an image, and its place in the picture.
  struct Piece {
    var image: Picture
    var from: (x: Int, y: Int)
    var to: (x: Int, y: Int)
  }

  mutating func add(_ record: FrameRecord) {
    if record.flags.contains(.key) { images.removeAll() }
    images.append(Image(record))
    if images.count > FrameRecord.farthest { images.removeFirst() }
  }

  /// What the tiles and the references of a record show, which was added last; decodes each image once.
  ///
  /// - Throws: ``FrameError`` when one is not there.
  func pieces(of record: FrameRecord, _ codec: any PictureCodec) throws -> [Piece] {
    guard let own = images.last else { return [] }
    var pieces: [Piece] = []
    if !record.tiles.isEmpty {
      guard let image = own.decoded(codec) else {
        throw FrameError(offset: 0, reason: "no image with \(record.tiles.count) tiles")
      }
      for (place, tile) in record.tiles.enumerated() {
        pieces.append(Piece(image: image, from: own.origin(place), to: own.grid.place(Int(tile))))
      }
    }
    var decoded: [Int: Picture] = [:]
    for reference in record.references {
      let at = images.count - 1 - reference.back
      guard images.indices.contains(at), images[at].grid == own.grid,
        reference.place + reference.count <= images[at].count,
        let image = decoded[at] ?? images[at].decoded(codec)
      else { throw FrameError(offset: 0, reason: "no tiles \(reference.back) records back") }
      decoded[at] = image
      for next in 0..<reference.count {
        pieces.append(
          Piece(
            image: image, from: images[at].origin(reference.place + next), to: own.grid.place(reference.tile + next)))
      }
    }
    return pieces
  }
}
