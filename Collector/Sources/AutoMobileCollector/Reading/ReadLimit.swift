import Foundation
import NIOConcurrencyHelpers

/// Ends one read: when it has taken too long, when nobody waits for it any more, or when the collector
/// stops.
final class ReadLimit: Sendable {
  enum Ending: Sendable { case tooLong, clientGone, stopping }

  private struct State {
    /// As long as there is something to be ended.
    var interrupt: (@Sendable () -> Void)?
    var ending: Ending?
  }

  private let end: UInt64
  private let client: ClientPresence
  private let stop: StopTime
  // The lock is what makes it safe to interrupt: what is read with is not given back to others meanwhile.
  private let state = NIOLockedValueBox(State())

  init(seconds: Double, client: ClientPresence, stop: StopTime) {
    end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    self.client = client
    self.stop = stop
  }

  /// Runs `body`.
  ///
  /// - Parameter interrupt: has `body` throw soon; from another thread, again and again, and not after `body` has returned.
  /// - Throws: ``APIError`` that says why it ended early; what `body` throws.
  func run<Result>(interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result) throws -> Result {
    if let ending = due() { throw Self.explained(ending) }
    state.withLockedValue { $0.interrupt = interrupt }
    defer { state.withLockedValue { $0.interrupt = nil } }
    do {
      return try body()
    } catch {
      throw state.withLockedValue { $0.ending }.map(Self.explained) ?? error
    }
  }

  /// Runs `body`, whose task is cancelled when the time is over.
  ///
  /// - Throws: ``APIError`` that says why it ended early; what `body` throws.
  func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    if let ending = due() { throw Self.explained(ending) }
    let task = Task { try await body() }
    state.withLockedValue { $0.interrupt = { task.cancel() } }
    defer { state.withLockedValue { $0.interrupt = nil } }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      throw state.withLockedValue { $0.ending }.map(Self.explained) ?? error
    }
  }

  /// Looks at the clock and at the client, again and again, until the task is cancelled.
  ///
  /// Not from within SQLite (its progress handler): one step of its machine can be long, where it compares large texts.
  /// And not once: an interrupt that comes between two statements is lost on the second.
  func watch() async throws {
    while true {
      try await Task.sleep(for: .milliseconds(20))
      guard let ending = due() else { continue }
      state.withLockedValue { state in
        guard let interrupt = state.interrupt else { return }
        state.ending = state.ending ?? ending
        interrupt()
      }
    }
  }

  /// Why the read is to end now; nil as long as it may go on.
  private func due() -> Ending? {
    if client.isGone { return .clientGone }
    let now = DispatchTime.now().uptimeNanoseconds
    if stop.isOver(at: now) { return .stopping }
    return now >= end ? .tooLong : nil
  }

  static func explained(_ ending: Ending) -> APIError {
    switch ending {
    case .tooLong:
      APIError(
        .serviceUnavailable, "too_expensive",
        "this takes too long: narrow it to a shorter time, one app or one session, or type more of the word")
    case .clientGone: APIError(.serviceUnavailable, "client_gone", "the client closed the connection")
    case .stopping: APIError(.serviceUnavailable, "stopping", "the collector is stopping", retryAfter: 5)
    }
  }
}

/// When what still runs has to end, once that is known.
final class StopTime: Sendable {
  private let time = NIOLockedValueBox<UInt64>(.max)

  func set(after seconds: Double) {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    time.withLockedValue { $0 = min($0, end) }
  }

  func isOver(at now: UInt64) -> Bool { time.withLockedValue { now >= $0 } }
}
