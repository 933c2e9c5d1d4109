import Foundation

/// Takes pictures and snapshots of the screen, and hands them on. What decides when a replay is recorded drives it.
///
/// All calls may come from any thread, and return at once.
package protocol ReplayCapture: Sendable {
  /// Begins with a key frame. While it runs, it begins anew, for this sink.
  func start(_ settings: CaptureSettings, sink: any ReplaySink)
  /// Takes nothing more until ``resume()``; what is being encoded still arrives.
  func pause()
  /// Goes on, with a key frame.
  func resume()
  /// The next frame is a key frame: a segment begins with it.
  func requestKeyFrame()
  /// Takes nothing more, and tells the sink what was lost since that was last told. The sink is called no more once this returned,
  /// except for a call that is under way.
  func stop()
}

/// Takes what capture made. Called on capture's own queue, one call at a time; but losses also by whoever stops it.
package protocol ReplaySink: Sendable {
  func accept(_ frame: ReplayFrame)
  func accept(_ snapshot: ReplaySnapshot)
  /// Frames were due, and will never arrive.
  func dropped(_ loss: CaptureLoss)
}

/// Frames that capture did not take, or could not keep.
package struct CaptureLoss: Sendable, Equatable {
  package var frames: Int
  package let reason: FrameLoss
  /// When the first of them was due, in milliseconds since 1970.
  package let since: Int64

  package init(frames: Int, reason: FrameLoss, since: Int64) {
    self.frames = frames
    self.reason = reason
    self.since = since
  }
}

/// One picture of the screen, or what changed since the one before.
package struct ReplayFrame: Sendable, Equatable {
  /// Milliseconds since 1970.
  package let timestamp: Int64
  /// Whether it can be shown without the frames before it.
  package let isKey: Bool
  /// One frame record, as *Replay format* tells.
  package let bytes: Data

  package init(timestamp: Int64, isKey: Bool, bytes: Data) {
    self.timestamp = timestamp
    self.isKey = isKey
    self.bytes = bytes
  }
}

/// The tree of views at one moment.
package struct ReplaySnapshot: Sendable, Equatable {
  /// Milliseconds since 1970.
  package let timestamp: Int64
  /// One line of JSON, without the line's end.
  package let bytes: Data

  package init(timestamp: Int64, bytes: Data) {
    self.timestamp = timestamp
    self.bytes = bytes
  }
}
