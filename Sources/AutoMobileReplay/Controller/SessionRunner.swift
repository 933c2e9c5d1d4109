import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// A session while it records, and until it is concluded: its files, and the one task that uploads them.
final class SessionRunner: Sendable {
  let session: ReplaySession
  let recorder: SessionRecorder
  let upload: SessionUpload
  private let wake: AsyncStream<Void>.Continuation
  /// It has lasted as long as it may.
  private let onCap: @Sendable () -> Void
  /// Returns when the session may be uploaded.
  private let before: @Sendable () async -> Void
  private let loop: Task<Void, Never>
  private let rest: UploadOfRest
  private let freezes = Locked<AnyObject?>(nil)
  /// Grows when the checkpoints that are under way are no longer wanted.
  private let checkpoints = Locked<UInt64>(0)

  init(
    _ session: ReplaySession, recorder: SessionRecorder, upload: SessionUpload, wakes: AsyncStream<Void>,
    wake: AsyncStream<Void>.Continuation, onCap: @escaping @Sendable () -> Void = {},
    before: @escaping @Sendable () async -> Void = {}
  ) {
    self.onCap = onCap
    let rest = UploadOfRest()
    self.rest = rest
    self.before = before
    self.session = session
    self.recorder = recorder
    self.upload = upload
    self.wake = wake
    loop = Task(priority: .utility) {
      for await _ in wakes {
        await before()
        let asked = rest.take()
        _ = await upload.drain(isOver: false, takesAll: asked.isWanted)
        asked.waiting.forEach { $0.resume() }
      }
    }
  }

  /// Whoever observes freezes for this session, as long as it records.
  func hold(_ observation: AnyObject?) {
    let old = freezes.withLock { freezes in
      defer { freezes = observation }
      return freezes
    }
    withExtendedLifetime(old) {}
  }

  func nudge() { wake.yield() }

  /// Whether the app is away: then there is nothing to come before it is back.
  func setPaused(_ isPaused: Bool) { rest.setPaused(isPaused) }

  /// Uploads what there is, also what would wait for more to come, if the app is still away. Returns when that is done, or has to wait.
  func uploadRest() async {
    await withCheckedContinuation { continuation in
      if !rest.ask(continuation) { return continuation.resume() }
      nudge()
    }
  }

  /// A checkpoint now, and then every five seconds until ``stopCheckpoints()``.
  func startCheckpoints(_ services: ReplayServices) {
    let series = checkpoints.withLock { series in
      series &+= 1
      return series
    }
    step(series, services)
  }

  func stopCheckpoints() { checkpoints.withLock { $0 &+= 1 } }

  private func step(_ series: UInt64, _ services: ReplayServices) {
    guard checkpoints.withLock({ $0 == series }) else { return }
    recorder.note(telemetrySession: services.telemetry.sessionId)
    recorder.checkpoint()
    nudge()
    // A timer stands still while the device sleeps.
    if services.now().since(session.clock.start) >= session.maximumMs { onCap() }
    services.after(services.checkpointInterval) { [weak self] in self?.step(series, services) }
  }

  /// Uploads what is left and may go, and tells the end. The recorder is closed, and the ending is on disk.
  ///
  /// - Parameter owner: who records.
  func conclude(_ ending: ReplayEnding, owner: String) async -> SessionUpload.Fate {
    wake.finish()
    await loop.value
    rest.end()
    await before()
    return await upload.conclude(
      ending, session: recorder.record, checkpoint: recorder.journal.last(.replayCheckpoint, as: Checkpoint.self),
      owner: owner)
  }
}

/// Who waits for all of a session that pauses to be uploaded.
private final class UploadOfRest: Sendable {
  private struct State {
    var isPaused = false
    var isOver = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Locked(State())

  func setPaused(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

  /// - Returns: false when nobody uploads any more.
  func ask(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      state.waiting.append(continuation)
      return true
    }
  }

  func take() -> (isWanted: Bool, waiting: [CheckedContinuation<Void, Never>]) {
    state.withLock { state in
      defer { state.waiting = [] }
      return (state.isPaused && !state.waiting.isEmpty, state.waiting)
    }
  }

  func end() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = [] }
      return state.waiting
    }
    waiting.forEach { $0.resume() }
  }
}

extension SessionRecorder {
  /// Closes the journal; and removes everything when the collector has it.
  func remove(_ budget: FrameBudget, isDone: Bool) async {
    await withCheckedContinuation { continuation in
      // It waits for the disk, which no task should.
      DispatchQueue.global(qos: .utility).async { [self] in
        journal.closeAndWait()
        if isDone {
          FrameSegments(directory: directory, budget: budget).remove(directory.frameFiles())
          directory.remove()
        }
        continuation.resume()
      }
    }
  }
}
