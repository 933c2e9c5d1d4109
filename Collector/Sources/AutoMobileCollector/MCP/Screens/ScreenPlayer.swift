import NIOCore

/// Makes the picture that was on the screen at a moment of the frames up to it.
struct ScreenPlayer {
  /// What there is of that picture.
  enum Picture {
    /// As it was, but for grey tiles where a photograph was drawn in later.
    case drawn(Pixels, grey: Int)
    /// The last whole picture, a JPEG; so many changes came after it.
    case photograph([UInt8], changes: Int)
  }

  /// Pixels that are drawn for one picture, at most: a few bytes can name many.
  private static let mostPixels = 64 << 20
  private static let grey: UInt32 = 0x80_80_80

  private var pixels: Pixels?
  private var photograph: [UInt8]?
  private var changes = 0
  private var greyTiles: Set<Int> = []
  /// Of the frames since the last whole picture, with their images; decoded when a tile of them is needed.
  private var frames: [ReplayFrame] = []
  private var decoded: [Int: Pixels?] = [:]
  private var drawn = 0
  /// Of the newest frame that was shown.
  private(set) var timestamp: Int64?

  /// There was more to draw than is drawn here: the picture is older than the moment.
  private(set) var isCutShort = false

  /// Shows the frames of a segment up to a moment: those since the last whole picture before it.
  init(_ segment: ByteBuffer, until moment: Int64) {
    var bytes = segment
    var start = segment
    while true {
      let place = bytes
      guard let frame = ReplayFrame(&bytes), frame.timestamp <= moment else { break }
      if frame.isKey { start = place }
    }
    while let frame = ReplayFrame(&start), frame.timestamp <= moment {
      guard drawn < Self.mostPixels else {
        isCutShort = true
        break
      }
      show(frame)
    }
  }

  var picture: Picture? {
    if let pixels { return .drawn(pixels, grey: greyTiles.count) }
    return photograph.map { .photograph($0, changes: changes) }
  }

  private mutating func show(_ frame: ReplayFrame) {
    if frame.isKey {
      (frames, decoded, greyTiles, changes) = ([frame], [:], [], 0)
      let whole = PalettePNG.decode(frame.atlas)
      pixels = whole?.width == frame.width && whole?.height == frame.height ? whole : nil
      photograph = pixels == nil && frame.atlas.starts(with: [0xFF, 0xD8, 0xFF]) ? frame.atlas : nil
      if picture != nil { timestamp = frame.timestamp }
      drawn += frame.width * frame.height
      return
    }
    guard let first = frames.first, first.width == frame.width, first.height == frame.height else { return }
    frames.append(frame)
    if frames.count > 1001 {
      // A reference goes back a thousand at most; numbers of decoded images move with the frames.
      frames.removeFirst()
      decoded = [:]
    }
    guard pixels != nil else { return changes += photograph == nil ? 0 : 1 }
    timestamp = frame.timestamp
    move(frame)
    for (place, tile) in frame.tiles.enumerated() { draw(tile, of: frame, from: frames.count - 1, place: place) }
    for reference in frame.references {
      for next in 0..<reference.count {
        draw(reference.tile + next, of: frame, from: frames.count - 1 - reference.back, place: reference.place + next)
      }
    }
  }

  private mutating func move(_ frame: ReplayFrame) {
    guard !frame.moves.isEmpty, let before = pixels else { return }
    for move in frame.moves {
      guard move.width > 0, move.height > 0, min(move.x, move.y, move.x + move.dx, move.y + move.dy) >= 0,
        max(move.x, move.x + move.dx) + move.width <= frame.width,
        max(move.y, move.y + move.dy) + move.height <= frame.height
      else { continue }
      for row in 0..<move.height {
        let source = (move.y + row) * frame.width + move.x
        let target = (move.y + move.dy + row) * frame.width + move.x + move.dx
        pixels?.colours.replaceSubrange(
          target..<target + move.width, with: before.colours[source..<source + move.width])
      }
    }
    drawn += frame.moves.reduce(frame.width * frame.height) { $0 + max(0, $1.width) * max(0, $1.height) }
  }

  /// A tile of an image of this or of an earlier frame.
  private mutating func draw(_ tile: Int, of frame: ReplayFrame, from index: Int, place: Int) {
    guard drawn < Self.mostPixels else { return isCutShort = true }
    let (columns, rows) = frame.grid
    guard frames.indices.contains(index), (0..<columns * rows).contains(tile) else { return }
    let source = frames[index]
    guard source.edge == frame.edge else { return }
    let (x, y) = (tile % columns * frame.edge, tile / columns * frame.edge)
    let (width, height) = (min(frame.edge, frame.width - x), min(frame.edge, frame.height - y))
    drawn += width * height
    let step = (frame.edge + 15) / 16 * 16
    let across = source.isKey ? columns : source.columns
    let from = (
      place % across * (source.isKey ? frame.edge : step), place / across * (source.isKey ? frame.edge : step)
    )
    let image = self.image(index)
    let isThere = image.map { from.0 + width <= $0.width && from.1 + height <= $0.height } ?? false
    if isThere { greyTiles.remove(tile) } else { greyTiles.insert(tile) }
    for row in 0..<height {
      let target = (y + row) * frame.width + x
      if isThere, let image {
        let start = (from.1 + row) * image.width + from.0
        pixels?.colours.replaceSubrange(target..<target + width, with: image.colours[start..<start + width])
      } else {
        pixels?.colours.replaceSubrange(target..<target + width, with: repeatElement(Self.grey, count: width))
      }
    }
  }

  private mutating func image(_ index: Int) -> Pixels? {
    if let known = decoded[index] { return known }
    let image = PalettePNG.decode(frames[index].atlas)
    drawn += image?.colours.count ?? 0
    decoded[index] = .some(image)
    return image
  }
}
