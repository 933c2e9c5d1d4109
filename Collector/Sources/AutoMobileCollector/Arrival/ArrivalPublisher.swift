import AutoMobileState
import Logging
import NIOConcurrencyHelpers

/// Says in the state how far what this collector took in is in the store that collectors share; on a thread of its own, so that nothing
/// waits for the state. What could not be said is said later, and what a process that ended left unsaid is said by the next.
final class ArrivalPublisher: Sendable {
  private struct Progress {
    var wanted: Int64 = -1
    var said: Int64 = -1
    var hasTrouble = false
    var foldedAt: Int64 = 0
  }

  private let state: any StateStore
  private let writer: Int64
  private let logger: Logger
  private let now: @Sendable () -> Int64
  private let worker = BackgroundWorker()
  private let progress = NIOLockedValueBox(Progress())

  /// Between two words, in seconds: what is in the log meanwhile comes with the next.
  private static let rest = 0.5
  private static let foldInterval: Int64 = 600_000
  /// So long ago, in milliseconds, that no listener goes on from there.
  private static let foldedAge: Int64 = 3_600_000

  /// - Parameter writer: by which this collector numbers what it takes in (``FrameNumbers``).
  init(
    _ state: any StateStore, writer: Int, logger: Logger, now: @escaping @Sendable () -> Int64 = { WallClock.now }
  ) {
    (self.state, self.writer, self.logger, self.now) = (state, Int64(writer), logger, now)
  }

  func start() { worker.start("arrivals") { [self] in work() } }

  /// Says what there is to say, and ends.
  func stop() {
    worker.stop()
    if progress.withLockedValue({ $0.wanted > $0.said }) { try? say() }
  }

  /// Everything in this collector's log up to a number can be asked for. Returns at once.
  func confirmed(upTo number: Int64) {
    progress.withLockedValue { $0.wanted = max($0.wanted, number) }
    worker.wake()
  }

  private func work() {
    do {
      try say()
      try foldNowAndThen()
      progress.withLockedValue { $0.hasTrouble = false }
      _ = worker.pause(Self.rest)
    } catch {
      let isNews = progress.withLockedValue { progress in
        defer { progress.hasTrouble = true }
        return !progress.hasTrouble
      }
      if isNews {
        logger.error(
          "what has arrived cannot be told to other collectors; trying again", metadata: ["error": "\(error)"])
      }
      if worker.pause(1) { worker.wake() }
    }
  }

  private func say() throws {
    let (wanted, said) = progress.withLockedValue { ($0.wanted, $0.said) }
    guard wanted > said else { return }
    _ = try state.writeNow { try ArrivalRows.publish(upTo: wanted, by: writer, at: now(), in: $0) }
    progress.withLockedValue { $0.said = max($0.said, wanted) }
  }

  /// Of several collectors whoever comes to it.
  private func foldNowAndThen() throws {
    let at = now()
    let isTime = progress.withLockedValue { progress in
      guard !(0..<Self.foldInterval).contains(at - progress.foldedAt) else { return false }
      progress.foldedAt = at
      return true
    }
    guard isTime else { return }
    try state.writeNow { try ArrivalRows.fold(before: at - Self.foldedAge, in: $0) }
  }
}
