import AutoMobileRecorder
import AutoMobileSupport

/// Sends until it is stopped, and then nothing more: whoever asks it is told so at once, and whoever waits in order to ask again waits
/// no longer.
final class StoppableTransport: RequestTransport {
  private struct State {
    var isStopped = false
    var waits: [UInt64: Task<Void, any Error>] = [:]
    var next: UInt64 = 0
  }

  private let transport: any RequestTransport
  private let state = Locked(State())

  init(_ transport: any RequestTransport) { self.transport = transport }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void) {
    guard !isStopped else { return completion(.failed("switched off")) }
    transport.send(request, completion: completion)
    // Between the two, somebody may have stopped it.
    if isStopped { transport.cancelAll() }
  }

  func cancelAll() { transport.cancelAll() }

  /// Waits as `sleep` does; throws as soon as it is stopped.
  func wait(_ milliseconds: Int64, _ sleep: @escaping @Sendable (Int64) async throws -> Void) async throws {
    let wait = Task { try await sleep(milliseconds) }
    let number = state.withLock { state -> UInt64? in
      guard !state.isStopped else { return nil }
      state.next &+= 1
      state.waits[state.next] = wait
      return state.next
    }
    guard let number else {
      wait.cancel()
      throw CancellationError()
    }
    defer { _ = state.withLock { $0.waits.removeValue(forKey: number) } }
    try await withTaskCancellationHandler {
      try await wait.value
    } onCancel: {
      wait.cancel()
    }
  }

  func stop() {
    let waits = state.withLock { state in
      state.isStopped = true
      return Array(state.waits.values)
    }
    waits.forEach { $0.cancel() }
    transport.cancelAll()
  }
}
