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

  private let losses = Locked<[CaptureLoss]>([])

  /// A frame was due, and is not taken: one of each reason, in the order in which they began.
  func noteLoss(_ reason: FrameLoss, at time: Int64) {
    losses.withLock { losses in
      if let index = losses.firstIndex(where: { $0.reason == reason }) {
        losses[index].frames += 1
      } else {
        losses.append(CaptureLoss(frames: 1, reason: reason, since: time))
      }
    }
  }

  /// Since they were told last.
  var lostFrames: Int { losses.withLock { $0.reduce(0) { $0 + $1.frames } } }

  /// What was lost since this was called last.
  func takeLosses() -> [CaptureLoss] {
    losses.withLock { losses in
      defer { losses = [] }
      return losses
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
