import AutoMobileSDK
import Foundation

/// A session while it records, and until it is concluded: its files, and the one task that uploads them.
final class SessionRunner: Sendable {
  let session: ReplaySession
  let recorder: SessionRecorder
  let upload: SessionUpload
  private let wake: AsyncStream<Void>.Continuation
  /// Returns when the session may be uploaded.
  private let before: @Sendable () async -> Void
  private let loop: Task<Void, Never>
  private let freezes = Locked<AnyObject?>(nil)
  /// Grows when the checkpoints that are under way are no longer wanted.
  private let checkpoints = Locked<UInt64>(0)

  init(
    _ session: ReplaySession, recorder: SessionRecorder, upload: SessionUpload, wakes: AsyncStream<Void>,
    wake: AsyncStream<Void>.Continuation, before: @escaping @Sendable () async -> Void = {}
  ) {
    self.before = before
    self.session = session
    self.recorder = recorder
    self.upload = upload
    self.wake = wake
    loop = Task(priority: .utility) {
      for await _ in wakes {
        await before()
        _ = await upload.drain(isOver: false)
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
    services.after(services.checkpointInterval) { [weak self] in self?.step(series, services) }
  }

  /// Uploads what is left, and tells the end. The recorder is closed, and the ending is on disk.
  ///
  /// - Returns: false when a later recovery has to finish it.
  func conclude(_ ending: ReplayEnding) async -> Bool {
    wake.finish()
    await loop.value
    await before()
    guard await upload.drain(isOver: true) == .done else { return false }
    let record = SessionRecord(
      id: session.id, startedAt: session.clock.start.wall, isTelemetryOnly: session.isTelemetryOnly)
    return await upload.tellEnd(
      ending, session: record, checkpoint: recorder.journal.last(.replayCheckpoint, as: Checkpoint.self))
  }
}
