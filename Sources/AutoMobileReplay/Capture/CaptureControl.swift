import AutoMobileRecorder
import AutoMobileSupport

/// One recording, from start to stop.
final class CaptureSession: Sendable {
  let settings: CaptureSettings
  let sink: any ReplaySink
  private let wantsKeyFrame = Locked(false)

  init(_ settings: CaptureSettings, _ sink: any ReplaySink) {
    self.settings = settings
    self.sink = sink
  }

  private struct Losses {
    /// Grows with each picture that is on its way: what was lost before it is told with it.
    var part: UInt64 = 0
    var all: [(part: UInt64, loss: CaptureLoss)] = []
  }
  private let losses = Locked(Losses())

  /// A frame was due, and is not taken: one of each reason, in the order in which they began.
  func noteLoss(_ reason: FrameLoss, at time: Int64) {
    losses.withLock { losses in
      let part = losses.part
      if let index = losses.all.firstIndex(where: { $0.part == part && $0.loss.reason == reason }) {
        losses.all[index].loss.frames += 1
      } else {
        losses.all.append((part, CaptureLoss(frames: 1, reason: reason, since: time)))
      }
    }
  }

  /// Those that nothing is on its way to tell of.
  var lostFrames: Int {
    losses.withLock { losses in
      losses.all.reduce(0) { $1.part == losses.part ? $0 + $1.loss.frames : $0 }
    }
  }

  /// Something is on its way that tells of what was lost until now.
  ///
  /// - Returns: for ``takeLosses(of:)``, when it is there.
  func endLosses() -> UInt64 {
    losses.withLock { losses in
      defer { losses.part &+= 1 }
      return losses.part
    }
  }

  /// What was lost until then, and was not taken yet. They stay here until they are told: when the recording ends before that, it
  /// tells them.
  func takeLosses(of part: UInt64 = .max) -> [CaptureLoss] {
    losses.withLock { losses in
      let taken = losses.all.filter { $0.part <= part }.map(\.loss)
      losses.all.removeAll { $0.part <= part }
      return taken
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

  /// Tells the sink what was lost: no later frame does.
  func end() {
    let session = state.withLock { state in
      defer { state = State() }
      return state.session
    }
    session?.takeLosses().forEach { session?.sink.dropped($0) }
  }
}
