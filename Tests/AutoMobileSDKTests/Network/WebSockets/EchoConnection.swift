import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Behaves as a `URLSessionWebSocketTask` that is connected to the tests' server: echoes, and closes when it is told "close".
final class EchoConnection: WebSocketConnection {
  private struct State {
    var echoes: [URLSessionWebSocketTask.Message] = []
    var code = URLSessionWebSocketTask.CloseCode.invalid
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "echo")

  var closeCode: URLSessionWebSocketTask.CloseCode { state.withLock { $0.code } }
  var closeReason: Data? { closeCode == .invalid ? nil : Data("bye".utf8) }
  var response: URLResponse? { nil }

  func resume() {}

  func send(
    _ message: URLSessionWebSocketTask.Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    state.withLock { state in
      if case .string("close") = message { state.code = .normalClosure } else { state.echoes.append(message) }
    }
    queue.async { completionHandler(nil) }
  }

  func receive(
    completionHandler: @escaping @Sendable (Result<URLSessionWebSocketTask.Message, any Error>) -> Void
  ) {
    let echo = state.withLock { $0.echoes.isEmpty ? nil : $0.echoes.removeFirst() }
    queue.async { completionHandler(echo.map { .success($0) } ?? .failure(URLError(.networkConnectionLost))) }
  }

  func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {
    queue.async { pongReceiveHandler(nil) }
  }

  func cancel(with closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?) {
    state.withLock { $0.code = closeCode }
  }

  func cancel() {}
}
