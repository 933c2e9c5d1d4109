import CAutoMobile

/// Which tiles a player has had since the last key frame, and in which record's image: a screen that comes back is told by
/// where it was. Of tiles their hashes are kept, never their pixels. For one thread.
final class TileMemory {
  /// Where a tile is: in the image of a record, counted from the key frame on, and at which place there.
  struct Source: Equatable {
    var record: Int
    var place: Int
  }

  /// More are not remembered until the next key frame; with their table, they take 48 KB.
  static let maximumTiles = 4096
  private static let slots = maximumTiles * 2

  /// Of all tiles that were coded, in their order.
  private var hashes: [UInt64] = []
  /// The first of each record's.
  private var starts: [Int] = []
  /// Places in `hashes`, and one; 0 where there is none.
  private var table: [UInt16] = Array(repeating: 0, count: TileMemory.slots)

  /// Of the tiles of the picture that is looked at.
  private var current: [UInt64] = []

  init() { hashes.reserveCapacity(Self.maximumTiles) }

  /// Of the key frame and those after it.
  var records: Int { starts.count }

  /// Whether no tile is known.
  var isEmpty: Bool { hashes.isEmpty }

  func forget() {
    starts.removeAll(keepingCapacity: true)
    guard !isEmpty else { return }
    hashes.removeAll(keepingCapacity: true)
    for slot in table.indices { table[slot] = 0 }
  }

  /// Looks at the tiles of a picture that are marked, or at all: what follows is about these.
  func look(at picture: Picture, _ grid: TileGrid, _ marks: [UInt8]?) {
    if current.count != grid.count { current = Array(repeating: 0, count: grid.count) }
    if let marks {
      am_pixels_tile_hashes(picture.pixels, picture.width, picture.height, grid.edge, marks, &current)
    } else {
      am_pixels_tile_hashes(picture.pixels, picture.width, picture.height, grid.edge, nil, &current)
    }
  }

  /// Where a tile that was looked at is; rather where the one before it goes on.
  func source(of tile: Int, after previous: Source?) -> Source? {
    let hash = current[tile]
    if let previous, previous.record < starts.count {
      let at = starts[previous.record] + previous.place + 1
      let end = previous.record + 1 < starts.count ? starts[previous.record + 1] : hashes.count
      if at < end, hashes[at] == hash { return Source(record: previous.record, place: previous.place + 1) }
    }
    let slot = slot(of: hash)
    guard table[slot] != 0 else { return nil }
    return source(at: Int(table[slot]) - 1)
  }

  /// A record was written, with the image of these tiles among those that were looked at, in their order.
  func add(_ tiles: some Sequence<Int>) {
    starts.append(hashes.count)
    for tile in tiles {
      guard hashes.count < Self.maximumTiles else { return }
      let slot = slot(of: current[tile])
      hashes.append(current[tile])
      if table[slot] == 0 { table[slot] = UInt16(clamping: hashes.count) }
    }
  }

  private func slot(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash >> 8) & (Self.slots - 1)
    while table[slot] != 0, hashes[Int(table[slot]) - 1] != hash { slot = (slot + 1) & (Self.slots - 1) }
    return slot
  }

  private func source(at place: Int) -> Source {
    var low = 0
    var high = starts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= place { low = middle } else { high = middle - 1 }
    }
    return Source(record: low, place: place - starts[low])
  }
}
