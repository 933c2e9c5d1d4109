/// What a look at the log found to be different from the last one.
public struct NetworkLogChange: Sendable, Equatable {
  /// Exchanges that came.
  public var added = 0
  /// Exchanges that had to make room, or became too old.
  public var removed = 0
  /// Requests that had been listed as under way, and are not any more: what came back has taken their place, or their app
  /// has ended first.
  public var ended = 0
  /// Frames of WebSockets that came.
  public var frames = 0

  public init() {}

  public var isEmpty: Bool { self == NetworkLogChange() }

  func since(_ earlier: NetworkLogChange) -> NetworkLogChange {
    var change = self
    change.added -= earlier.added
    change.removed -= earlier.removed
    change.ended -= earlier.ended
    change.frames -= earlier.frames
    return change
  }

  mutating func add(_ change: NetworkLogChange) {
    added += change.added
    removed += change.removed
    ended += change.ended
    frames += change.frames
  }
}
