import Foundation

/// One frame, as it is written: a whole picture, or what changed since the one before. *Replay format* tells the bytes.
package struct FrameRecord: Sendable, Equatable {
  package struct Flags: OptionSet, Sendable, Equatable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The whole picture: it can be shown without the frames before it.
    package static let key = Flags(rawValue: 1)
    /// Frames were dropped before it.
    package static let gap = Flags(rawValue: 2)
    /// Nothing but masked areas changed.
    package static let onlyMasked = Flags(rawValue: 4)
  }

  /// A rectangle of the picture before that is elsewhere now.
  package struct Move: Sendable, Equatable {
    package var from: PixelRectangle
    package var dx: Int
    package var dy: Int

    package init(from: PixelRectangle, dx: Int, dy: Int) {
      self.from = from
      self.dx = dx
      self.dy = dy
    }

    var to: PixelRectangle {
      PixelRectangle(x: from.x + dx, y: from.y + dy, width: from.width, height: from.height)
    }
  }

  /// Tiles that are as tiles of an earlier record's image, one after the other in both.
  package struct Reference: Sendable, Equatable {
    /// The first of them, and how many they are.
    package var tile: Int
    package var count: Int
    /// So many records before this one.
    package var back: Int
    /// Where the first is among the tiles of that record's image.
    package var place: Int

    package init(tile: Int, count: Int, back: Int, place: Int) {
      self.tile = tile
      self.count = count
      self.back = back
      self.place = place
    }
  }

  /// Milliseconds since 1970.
  package var timestamp: Int64
  package var flags: Flags
  /// In pixels, a multiple of 8.
  package var tileEdge = Self.defaultTileEdge
  package var width: Int
  package var height: Int
  /// Pixels of the picture for a point of the screen, times 256.
  package var scale: UInt16
  /// Frames that were dropped since the record before.
  package var droppedFrames: UInt16 = 0
  package var moves: [Move] = []
  /// Which tiles the atlas holds, in its order.
  package var tiles: [UInt16] = []
  package var references: [Reference] = []
  /// Tiles side by side in the atlas.
  package var columns: UInt16 = 0
  /// A JPEG or a PNG: of the whole picture in a key frame, else of the tiles; empty when there are none.
  package var atlas: Data

  package init(timestamp: Int64, flags: Flags, width: Int, height: Int, scale: UInt16, atlas: Data) {
    self.timestamp = timestamp
    self.flags = flags
    self.width = width
    self.height = height
    self.scale = scale
    self.atlas = atlas
  }

  package static let defaultTileEdge = 32
  /// "AMF", and a digit for the version.
  static let magic: UInt32 = 0x0046_4D41
  /// That is written. The first had the numbers of all tiles, and neither references nor PNGs.
  static let version = 2
  /// Magic and length.
  static let headLength = 8
  /// A record without moves, tiles, references and atlas, after the head.
  static let fixedLength = 30
  static let moveLength = 12
  static let runLength = 4
  static let referenceLength = 8
  static let maximumMoves = 64
  /// Whoever shows a record needs no more images than these besides its own.
  static let maximumSources = 8
  /// How far a reference goes back, in records.
  static let farthest = 1000
  /// Of a record, after the head.
  static let maximumLength = 8 << 20
}
