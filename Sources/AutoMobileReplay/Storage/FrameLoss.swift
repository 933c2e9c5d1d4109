/// Why frames are lost.
package enum FrameLoss: String, Codable, Sendable, CaseIterable {
  /// Pictures could not be encoded, or not as fast as they came.
  case slow
  /// Too much waits to be uploaded.
  case network
  /// They could not be written.
  case disk
  /// Nobody could tell where something is that is masked, or the screen could not be drawn: they were not taken.
  case uncertain
}

/// Frames that are missing one after the other.
package struct FrameGap: Sendable, Equatable {
  package var frames: Int
  /// Why the first of them is missing; those after it could not be shown without it.
  package var reason: FrameLoss
  /// When the first of them was due, in milliseconds since 1970.
  package var since: Int64
  /// When the next one is there; nil: nobody knows yet.
  package var until: Int64?

  package init(frames: Int, reason: FrameLoss, since: Int64, until: Int64? = nil) {
    self.frames = frames
    self.reason = reason
    self.since = since
    self.until = until
  }
}
