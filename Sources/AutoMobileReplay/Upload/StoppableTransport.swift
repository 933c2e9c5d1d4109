import AutoMobileSDK

/// Sends until it is stopped, and then nothing more: whoever asks it is told so at once.
final class StoppableTransport: RequestTransport {
  private let transport: any RequestTransport
  private let stopped = Locked(false)

  init(_ transport: any RequestTransport) { self.transport = transport }

  var isStopped: Bool { stopped.withLock { $0 } }

  func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void) {
    guard !isStopped else { return completion(.failed("switched off")) }
    transport.send(request, completion: completion)
    // Between the two, somebody may have stopped it.
    if isStopped { transport.cancelAll() }
  }

  func cancelAll() { transport.cancelAll() }

  func stop() {
    stopped.withLock { $0 = true }
    transport.cancelAll()
  }
}
