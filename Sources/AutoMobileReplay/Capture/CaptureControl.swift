import AutoMobileSDK

/// One recording, from start to stop.
final class CaptureSession: Sendable {
  let settings: CaptureSettings
  let sink: any ReplaySink
  private let wantsKeyFrame = Locked(false)

  init(_ settings: CaptureSettings, _ sink: any ReplaySink) {
    self.settings = settings
    self.sink = sink
  }

  private let dropped = Locked(0)

  /// A frame was due, and there was nothing to draw it on.
  func noteDrop() { dropped.withLock { $0 += 1 } }

  /// Frames that were dropped since this was called last.
  func takeDrops() -> Int {
    dropped.withLock { dropped in
      defer { dropped = 0 }
      return dropped
    }
  }

  func needKeyFrame() { wantsKeyFrame.withLock { $0 = true } }

  /// Whether somebody asked for a key frame since this was called last.
  func takeKeyFrameWish() -> Bool {
    wantsKeyFrame.withLock { wish in
      defer { wish = false }
      return wish
    }
  }
}

/// What is being recorded. Any thread.
final class CaptureControl: Sendable {
  private struct State: Sendable {
    var session: CaptureSession?
    var isPaused = false
  }

  private let state = Locked(State())

  var session: CaptureSession? { state.withLock { $0.session } }
  /// The one that is recorded now, unless it pauses.
  var active: CaptureSession? { state.withLock { $0.isPaused ? nil : $0.session } }

  /// Of the one before, nothing arrives any more.
  func isCurrent(_ session: CaptureSession) -> Bool { state.withLock { $0.session === session } }

  func begin(_ settings: CaptureSettings, _ sink: any ReplaySink) {
    let session = CaptureSession(settings, sink)
    state.withLock { $0 = State(session: session) }
  }

  func setPaused(_ isPaused: Bool) {
    let session = state.withLock { state -> CaptureSession? in
      state.isPaused = isPaused
      return state.session
    }
    if !isPaused { session?.needKeyFrame() }
  }

  func end() { state.withLock { $0 = State() } }
}
