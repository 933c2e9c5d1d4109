import AutoMobileRecorder
import AutoMobileSupport

/// The few pictures that are drawn and encoded in turn. Any thread.
final class PicturePool: Sendable {
  private struct State: @unchecked Sendable {
    // Unchecked: only reached through the lock; a picture in here is nobody else's.
    var free: [Picture] = []
    var lent = 0
    var size = (width: 0, height: 0)
  }

  /// So many are with whoever draws and whoever encodes.
  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) { self.limit = limit }

  /// A picture to draw on; nil when all are still being encoded: then a frame is dropped.
  func take(width: Int, height: Int) -> Picture? {
    state.withLock { state in
      if state.size != (width, height) {
        state.size = (width, height)
        state.free = []
      }
      guard state.lent < limit, let picture = state.free.popLast() ?? Picture(width: width, height: height) else {
        return nil
      }
      state.lent += 1
      return picture
    }
  }

  func giveBack(_ picture: Picture) {
    state.withLock { state in
      state.lent = max(0, state.lent - 1)
      if picture.width == state.size.width, picture.height == state.size.height { state.free.append(picture) }
    }
  }
}
