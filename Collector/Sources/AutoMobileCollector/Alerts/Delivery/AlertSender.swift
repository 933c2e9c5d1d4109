import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Sends what is due: of each channel one message at a time, all channels beside each other. There are at most
/// ``AlertChannel/most`` of them; one whose receiver hangs keeps none of the others waiting. Of several collectors one sends.
final class AlertSender: Sendable {
  /// What it did since the collector started.
  struct Report: Sendable {
    var sent: Int64 = 0
    /// For good.
    var failed: Int64 = 0
    /// Set aside, because nothing could be read of them.
    var unreadable: Int64 = 0
    /// Why nothing can be sent at all, if that is so.
    var problem: String?
  }

  private struct State: Sendable {
    /// Channels to which something is under way.
    var busy: Set<Int64> = []
    /// Channels that asked to be left alone, and until when.
    var resting: [Int64: Int64] = [:]
    var report = Report()
  }

  /// Between two looks whether another collector has stopped sending, in milliseconds.
  private static let elsewhere: Int64 = 2000

  private let outbox: AlertOutbox
  private let turn: WorkTurn
  private let courier: AlertCourier
  private let logger: Logger
  private let state = NIOLockedValueBox(State())
  private let wakeUps: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation
  private let task = NIOLockedValueBox<Task<Void, Never>?>(nil)

  init(_ state: any StateStore, courier: AlertCourier, logger: Logger) {
    (self.courier, self.logger) = (courier, logger)
    outbox = AlertOutbox(state: state)
    turn = WorkTurn(StateWork("alert messages"), in: state)
    (wakeUps, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var report: Report { state.withLockedValue { $0.report } }

  func start() {
    task.withLockedValue { $0 = Task { [self] in await run() } }
  }

  /// There may be something to send.
  func wake() { bell.yield() }

  /// Ends; what is under way is sent again by the next run, under the same name, unless it was noted down.
  func stop() {
    task.withLockedValue { $0?.cancel() }
    bell.finish()
    // Whoever sends what is under way has it, too: until that is over, no other collector begins.
    turn.end()
  }

  private func run() async {
    var bells = wakeUps.makeAsyncIterator()
    while !Task.isCancelled {
      let pause: Int64?
      do {
        pause = try await beginAll()
        state.withLockedValue { $0.report.problem = nil }
      } catch {
        logger.error("alerts cannot be sent; trying later", metadata: ["error": "\(error)"])
        state.withLockedValue { $0.report.problem = "\(error)" }
        pause = 1000
      }
      // Whatever rings first: the clock, something that was decided, or a channel that is free again.
      let alarm = pause.map { pause in
        Task { [self] in
          try await Task.sleep(for: .milliseconds(pause))
          wake()
        }
      }
      defer { alarm?.cancel() }
      guard await bells.next() != nil else { return }
    }
  }

  /// - Returns: after how many milliseconds there may be more; nil: not before something happens.
  private func beginAll() async throws -> Int64? {
    // What another one was asked to leave alone it has written down.
    let hold = try await turn.take { state.withLockedValue { $0.resting = [:] } }
    guard let hold else { return Self.elsewhere }
    let (busy, resting) = state.withLockedValue { ($0.busy, $0.resting) }
    let due = try await outbox.due(at: WallClock.now, except: busy, resting: resting)
    if !due.unreadable.isEmpty {
      try await outbox.setAside(due.unreadable, at: WallClock.now)
      state.withLockedValue { $0.report.unreadable += Int64(due.unreadable.count) }
      logger.error(
        "alerts that cannot be read are not sent", metadata: ["messages": "\(due.unreadable.prefix(20))"])
    }
    for message in due.messages { begin(message, hold) }
    // A clock that is set back must not make anybody wait for long.
    return due.next.map { min(max($0 - WallClock.now, 20), 1000) }
  }

  private func begin(_ message: AlertOutbox.Message, _ hold: StateHold) {
    state.withLockedValue { _ = $0.busy.insert(message.channel) }
    Task { [self] in
      await send(message)
      withExtendedLifetime(hold) {}
      state.withLockedValue { _ = $0.busy.remove(message.channel) }
      wake()
    }
  }

  private func send(_ message: AlertOutbox.Message) async {
    do {
      guard let channel = try await outbox.state.read({ try AlertStore.channel(message.channel, in: $0) }) else {
        return try await outbox.note(
          .failed(reason: "the channel was removed", status: nil), of: message, at: WallClock.now)
      }
      let outcome = await courier.deliver(message.alert, to: channel, id: message.name)
      try await note(outcome, of: message)
      count(outcome, of: channel)
    } catch {
      logger.error("what came of an alert cannot be noted down", metadata: ["error": "\(error)"])
      // Not at once again and again.
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Tried until it succeeds, or this is to end: without the note it would be sent again. Noted twice is the same as once.
  private func note(_ outcome: AlertCourier.Outcome, of message: AlertOutbox.Message) async throws {
    while true {
      do {
        return try await outbox.note(outcome, of: message, at: WallClock.now)
      } catch let error as StateError where error.isPassing || error.kind == .unknown {
        guard task.withLockedValue({ $0?.isCancelled }) == false else { throw error }
        logger.error("what came of an alert cannot be noted down yet", metadata: ["error": "\(error)"])
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  private func count(_ outcome: AlertCourier.Outcome, of channel: AlertChannel) {
    state.withLockedValue {
      $0.resting[channel.id] = nil
      switch outcome {
      case .sent: $0.report.sent += 1
      case .failed: $0.report.failed += 1
      case .later(_, _, let after):
        if let after { $0.resting[channel.id] = WallClock.now + Int64(after * 1000) }
      }
    }
    if case .failed(let reason, _) = outcome {
      logger.warning("an alert was not sent", metadata: ["channel": "\(channel.name)", "reason": "\(reason)"])
    }
  }
}
