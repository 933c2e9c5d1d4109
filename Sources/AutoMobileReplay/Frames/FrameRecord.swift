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
  /// Tiles side by side in the atlas.
  package var columns: UInt16 = 0
  /// A JPEG: of the whole picture in a key frame, else of the tiles; empty when there are none.
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
  static let magic: UInt32 = 0x3146_4D41  // "AMF1"
  /// Magic and length.
  static let headLength = 8
  /// A record without moves, tiles and atlas, after the head.
  static let fixedLength = 28
  static let moveLength = 12
  static let maximumMoves = 64
  /// Of a record, after the head.
  static let maximumLength = 8 << 20
}
