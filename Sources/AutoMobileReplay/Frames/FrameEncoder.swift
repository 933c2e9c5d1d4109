import AutoMobileJournal
import Foundation

/// Makes frame records of pictures: only of what changed, and nothing of a picture that is as the one before. For one
/// thread at a time.
///
/// What is compared are pictures without what JPEG loses: each tile is coded once when it changed, and a move copies what
/// is there, so that nothing becomes worse with time. What was on the screen since the last key frame is not coded again.
package final class FrameEncoder {
  package struct Options: Sendable, Equatable {
    package var quality = 0.5
    /// Pixels of a picture for a point of the screen.
    package var pixelsPerPoint = 0.8
    package var tileEdge = FrameRecord.defaultTileEdge
    /// A changed picture begins anew when the last key frame is so old, so that any segment plays by itself.
    package var keyFrameIntervalMs: Int64 = 30_000
    /// When more tiles than this part are new, the picture is another one.
    package var keyFrameShare = 0.8
    /// So many other pictures, one after the other, are looked at as screens to which somebody may come back; those after them
    /// as a film, of which nothing needs to be remembered.
    package var screensInARow = 4

    package init() {}
  }

  private let codec: any PictureCodec
  private let options: Options
  private var lastKey: Int64?
  private var isKeyNeeded = true
  private var droppedFrames = 0
  private var hasFailed = false
  /// The picture that a player has after the last record.
  private var shown: Picture?
  private var difference: FrameDifference?
  private let sources = TileSources()
  /// Pictures one after the other that were quite new.
  private var newPictures = 0

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
    guard let shown, shown.hasSize(of: picture), let difference, !isKeyNeeded else {
      return key(picture, at: timestamp)
    }
    guard difference.find(from: shown, to: picture) else { return nil }
    let age = timestamp.subtractingReportingOverflow(lastKey ?? timestamp)
    // A clock that jumped back is no reason to wait for it to come round again.
    guard !age.overflow, age.partialValue >= 0, age.partialValue < options.keyFrameIntervalMs else {
      return key(picture, at: timestamp)
    }
    if difference.count * 4 < difference.grid.count || !sources.isKnown(picture, difference) {
      difference.findMoves(from: shown, to: picture)
    }
    let most = Double(difference.grid.count) * options.keyFrameShare
    // The next picture of a film.
    guard newPictures <= options.screensInARow || Double(difference.count) <= most else {
      return key(picture, at: timestamp)
    }
    sources.find(picture, difference)
    newPictures = Double(sources.count) > most ? newPictures &+ 1 : 0
    guard newPictures <= options.screensInARow else { return key(picture, at: timestamp) }
    return delta(picture, difference, shown, at: timestamp)
  }

  private func delta(
    _ picture: Picture, _ difference: FrameDifference, _ shown: Picture, at timestamp: Int64
  ) -> ReplayFrame? {
    var record = record(picture, at: timestamp, flags: [])
    record.moves = difference.moves
    record.references = sources.references
    if sources.count > 0 {
      guard let atlas = TileAtlas(picture, difference.grid, sources.marks, count: sources.count),
        let bytes = codec.encode(
          atlas.picture.pixels, width: atlas.picture.width, height: atlas.picture.height, quality: options.quality)
      else { return fail() }
      record.tiles = atlas.tiles
      record.columns = UInt16(clamping: atlas.columns)
      record.atlas = bytes
    }
    sources.remember()
    difference.apply(to: shown, from: picture)
    return finish(record)
  }

  private func key(_ picture: Picture, at timestamp: Int64) -> ReplayFrame? {
    guard
      let bytes = codec.encode(
        picture.pixels, width: picture.width, height: picture.height, quality: options.quality)
    else { return fail() }
    if shown?.hasSize(of: picture) != true {
      shown = Picture(width: picture.width, height: picture.height)
      difference = FrameDifference(picture, edge: options.tileEdge)
    }
    shown?.copy(picture)
    if let difference { sources.begin(picture, difference.grid, remembers: newPictures <= options.screensInARow) }
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

  /// Whether the codec failed since this was called last.
  package func takeFailure() -> Bool {
    defer { hasFailed = false }
    return hasFailed
  }

  private func fail() -> ReplayFrame? {
    hasFailed = true
    noteDropped(1)
    return nil
  }
}
