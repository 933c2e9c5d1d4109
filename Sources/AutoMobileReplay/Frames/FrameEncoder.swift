import AutoMobileJournal
import CAutoMobile
import Foundation

/// Makes frame records of pictures: only of what changed, and nothing of a picture that is as the one before. For one
/// thread at a time.
///
/// What is compared are the pictures as they were taken, not as a player will see them: each tile is coded once when it
/// changed, and a move copies what is there, so that nothing becomes worse with time.
package final class FrameEncoder {
  package struct Options: Sendable, Equatable {
    package var quality = 0.5
    /// Pixels of a picture for a point of the screen.
    package var pixelsPerPoint = 0.8
    package var tileEdge = FrameRecord.defaultTileEdge
    /// A changed picture begins anew when the last key frame is so old, so that any segment plays by itself.
    package var keyFrameIntervalMs: Int64 = 30_000
    /// When more tiles than this part changed, the whole picture costs less.
    package var keyFrameShare = 0.8

    package init() {}
  }

  private let codec: any PictureCodec
  private let options: Options
  private var lastKey: Int64?
  private var isKeyNeeded = true
  private var droppedFrames = 0
  /// The picture that a player has after the last record.
  private var reference: Picture?
  private var scratch: Scratch?

  /// Memory that depends on the picture's size.
  private final class Scratch {
    let grid: TileGrid
    let finder: MoveFinder
    /// The reference with its moves made.
    let moved: Picture
    var marks: [UInt8]

    init?(_ picture: Picture, edge: Int) {
      guard let moved = Picture(width: picture.width, height: picture.height) else { return nil }
      self.moved = moved
      grid = TileGrid(width: picture.width, height: picture.height, edge: edge)
      finder = MoveFinder(width: picture.width, height: picture.height)
      marks = Array(repeating: 0, count: grid.count)
    }
  }

  package init(codec: any PictureCodec, options: Options = Options()) {
    self.codec = codec
    self.options = options
  }

  /// Frames were lost between the last record and the next, which therefore is a key frame.
  package func noteDropped(_ frames: Int) {
    droppedFrames = min(Int(UInt16.max), droppedFrames + max(0, frames))
    if frames > 0 { isKeyNeeded = true }
  }

  /// The next record is a key frame, whatever changed: a segment begins, or capture goes on.
  package func needKeyFrame() { isKeyNeeded = true }

  /// The picture's record; nil when nothing has changed, or when the codec failed: then the next is a key frame.
  package func encode(_ picture: Picture, at timestamp: Int64) -> ReplayFrame? {
    guard let reference, reference.hasSize(of: picture), let scratch, !isKeyNeeded else {
      return key(picture, at: timestamp)
    }
    let changed = am_pixels_changed_tiles(
      reference.pixels, picture.pixels, picture.width, picture.height, scratch.grid.edge, &scratch.marks)
    guard changed > 0 else { return nil }
    let age = timestamp.subtractingReportingOverflow(lastKey ?? timestamp)
    // A clock that jumped back is no reason to wait for it to come round again.
    guard !age.overflow, age.partialValue >= 0, age.partialValue < options.keyFrameIntervalMs else {
      return key(picture, at: timestamp)
    }
    return delta(picture, changed, reference, scratch, at: timestamp)
  }

  private func delta(
    _ picture: Picture, _ changed: Int, _ reference: Picture, _ scratch: Scratch, at timestamp: Int64
  ) -> ReplayFrame? {
    var left = changed
    var moves: [FrameRecord.Move] = []
    if changed >= scratch.grid.columns {
      scratch.finder.find(from: reference, to: picture)
      if !scratch.finder.moves.isEmpty {
        let withMoves = remaining(picture, reference, scratch)
        if withMoves < changed {
          left = withMoves
          moves = scratch.finder.moves
        } else {
          _ = am_pixels_changed_tiles(
            reference.pixels, picture.pixels, picture.width, picture.height, scratch.grid.edge, &scratch.marks)
        }
      }
    }
    guard Double(left) <= Double(scratch.grid.count) * options.keyFrameShare else {
      return key(picture, at: timestamp)
    }
    var record = record(picture, at: timestamp, flags: [])
    record.moves = moves
    if left > 0 {
      guard let atlas = TileAtlas(picture, scratch.grid, scratch.marks, count: left),
        let bytes = codec.encode(
          atlas.picture.pixels, width: atlas.picture.width, height: atlas.picture.height, quality: options.quality)
      else { return fail() }
      record.tiles = atlas.tiles
      record.columns = UInt16(clamping: atlas.columns)
      record.atlas = bytes
    }
    reference.copy(picture)
    return finish(record)
  }

  /// How many tiles differ once the moves are made; marks them.
  private func remaining(_ picture: Picture, _ reference: Picture, _ scratch: Scratch) -> Int {
    scratch.moved.copy(reference)
    for move in scratch.finder.moves { scratch.moved.apply(move, of: reference) }
    return am_pixels_changed_tiles(
      scratch.moved.pixels, picture.pixels, picture.width, picture.height, scratch.grid.edge, &scratch.marks)
  }

  private func key(_ picture: Picture, at timestamp: Int64) -> ReplayFrame? {
    guard
      let bytes = codec.encode(
        picture.pixels, width: picture.width, height: picture.height, quality: options.quality)
    else { return fail() }
    if reference?.hasSize(of: picture) != true {
      reference = Picture(width: picture.width, height: picture.height)
      scratch = Scratch(picture, edge: options.tileEdge)
    }
    reference?.copy(picture)
    lastKey = timestamp
    isKeyNeeded = false
    var record = record(picture, at: timestamp, flags: .key)
    record.atlas = bytes
    return finish(record)
  }

  private func record(_ picture: Picture, at timestamp: Int64, flags: FrameRecord.Flags) -> FrameRecord {
    var record = FrameRecord(
      timestamp: timestamp, flags: flags, width: picture.width, height: picture.height,
      scale: UInt16(saturating: (options.pixelsPerPoint * 256).rounded()), atlas: Data())
    record.tileEdge = options.tileEdge
    record.droppedFrames = UInt16(clamping: droppedFrames)
    if droppedFrames > 0 { record.flags.insert(.gap) }
    return record
  }

  private func finish(_ record: FrameRecord) -> ReplayFrame {
    droppedFrames = 0
    return ReplayFrame(timestamp: record.timestamp, isKey: record.flags.contains(.key), bytes: record.bytes)
  }

  private func fail() -> ReplayFrame? {
    noteDropped(1)
    return nil
  }
}
