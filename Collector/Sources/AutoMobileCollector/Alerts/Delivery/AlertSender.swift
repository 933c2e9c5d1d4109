import Foundation
import Logging
import NIOConcurrencyHelpers

/// Sends what is due: of each channel one message at a time, in order, all channels beside each other.
final class AlertSender: Sendable {
  private let store: EventStore
  private let outbox: AlertOutbox
  private let courier: AlertCourier
  private let logger: Logger
  private let busy = NIOLockedValueBox<Set<Int64>>([])
  private let wakeUps: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation
  private let task = NIOLockedValueBox<Task<Void, Never>?>(nil)

  init(store: EventStore, courier: AlertCourier, logger: Logger) {
    (self.store, self.courier, self.logger) = (store, courier, logger)
    outbox = AlertOutbox(store: store)
    (wakeUps, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func start() {
    task.withLockedValue { $0 = Task { [self] in await run() } }
  }

  /// There may be something to send.
  func wake() { bell.yield() }

  /// Ends; what is under way is sent again by the next run, under the same name, unless it was noted down.
  func stop() {
    task.withLockedValue { $0?.cancel() }
    bell.finish()
  }

  private func run() async {
    var bells = wakeUps.makeAsyncIterator()
    while !Task.isCancelled {
      do {
        let (messages, next) = try await outbox.due(at: WallClock.now, except: busy.withLockedValue { $0 })
        for message in messages { begin(message) }
        if messages.isEmpty, let next {
          // A clock that is set back, or a rule that has something to say, must not wait for long.
          let wait = min(max(next - WallClock.now, 20), 1000)
          try await Task.sleep(for: .milliseconds(wait))
          continue
        }
      } catch is CancellationError {
        return
      } catch {
        logger.error("alerts cannot be sent; trying later", metadata: ["error": "\(error)"])
        try? await Task.sleep(for: .seconds(1))
        continue
      }
      guard await bells.next() != nil else { return }
    }
  }

  private func begin(_ message: AlertOutbox.Message) {
    busy.withLockedValue { _ = $0.insert(message.channel) }
    Task { [self] in
      await send(message)
      busy.withLockedValue { _ = $0.remove(message.channel) }
      wake()
    }
  }

  private func send(_ message: AlertOutbox.Message) async {
    do {
      guard let channel = try await store.pool.read({ try AlertStore.channel(message.channel, in: $0) }) else {
        return try await outbox.note(
          .failed(reason: "the channel was removed", status: nil), of: message, at: WallClock.now)
      }
      let outcome = await courier.deliver(message.alert, to: channel, id: message.name)
      try await outbox.note(outcome, of: message, at: WallClock.now)
      if case .failed(let reason, _) = outcome {
        logger.warning("an alert was not sent", metadata: ["channel": "\(channel.name)", "reason": "\(reason)"])
      }
    } catch {
      logger.error("what came of an alert cannot be noted down", metadata: ["error": "\(error)"])
      // Not at once again and again.
      try? await Task.sleep(for: .seconds(1))
    }
  }
}
