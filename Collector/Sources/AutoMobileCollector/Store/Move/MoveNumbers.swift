/// Gives what is moved its numbers: in the order in which the index has it, and of the time at which it was received, so that it has
/// the day of that. The same index has the same ones, whenever it is asked.
struct MoveNumbers {
  let writer: Int64
  /// What was received later was received by a clock that was ahead: no number is of the future, nor of a day that others have to wait for.
  let latest: Int64
  private(set) var last: Int64

  init(_ progress: MoveProgress) {
    (writer, latest) = (Int64(progress.number), progress.begun)
    // The first one is the writer's own.
    last = progress.last < 0 ? writer - FrameNumbers.step : progress.last
  }

  /// - Parameter received: in milliseconds since 1970.
  /// - Throws: ``NumbersSpent``.
  mutating func next(_ received: Int64) throws -> Int64 {
    let next = max(last + FrameNumbers.step, FrameNumbers.first(at: min(received, latest)) + writer)
    guard next / FrameNumbers.step <= FrameNumbers.most else { throw NumbersSpent() }
    last = next
    return next
  }
}
