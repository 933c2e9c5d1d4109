import AutoMobileHTTP
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSessionWebSocketTask` with everything that goes over it recorded: text and binary frames when they have been sent
/// or received, pings with their pongs, and the end. See ``AutoMobileNetwork/webSocket(_:)``.
///
/// Its methods are those of the task, and hand over to it; handlers are called where the task calls them. Any thread.
public final class AutoMobileWebSocketTask: Sendable {
  public typealias Message = URLSessionWebSocketTask.Message

  /// The task itself. What is done with it directly is not recorded.
  public let task: URLSessionWebSocketTask
  /// Names the connection in the recording.
  public let requestId: String
  private let connection: any WebSocketConnection
  private let network: AutoMobileNetwork
  private let opening: Locked<WebSocketOpening>

  /// - Parameter connection: what is used instead of the task, for tests.
  init(
    _ task: URLSessionWebSocketTask, over connection: (any WebSocketConnection)? = nil, network: AutoMobileNetwork
  ) {
    self.task = task
    self.connection = connection ?? task
    self.network = network
    requestId = UUID().uuidString
    opening = Locked(WebSocketOpening(startedAt: EventClock.now()))
  }

  /// Begins to connect.
  public func resume() {
    opening.withLock { $0.startedAt = EventClock.now() }
    connection.resume()
  }

  /// Sends a message, and says when it has been sent, or with which error it was not. The frame is recorded when it has been sent.
  public func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    let time = EventClock.now()
    connection.send(message) { [self] error in
      ended(error)
      if error == nil { record(.sent, message, at: time) }
      ErrorBarrier.run(.webSocketHandler) { completionHandler(error) }
    }
  }

  /// Sends a message. The frame is recorded when it has been sent.
  public func send(_ message: Message) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      send(message) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  /// Waits for the next message.
  ///
  /// - Parameter completionHandler: called with it, or with the error: also when the other side has closed.
  public func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {
    connection.receive { [self] result in
      switch result {
      case .success(let message):
        ended(nil)
        record(.received, message, at: EventClock.now())
      case .failure(let error): ended(error)
      }
      ErrorBarrier.run(.webSocketHandler) { completionHandler(result) }
    }
  }

  /// Waits for the next message.
  public func receive() async throws -> Message {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Message, any Error>) in
      receive { result in continuation.resume(with: result) }
    }
  }

  /// Sends a ping.
  ///
  /// - Parameter pongReceiveHandler: called when the pong is there, or with the error.
  public func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {
    let time = EventClock.now()
    connection.sendPing { [self] error in
      ended(error)
      if error == nil {
        record(.sent, .ping, HTTPBody(bytes: nil, size: 0), at: time)
        record(.received, .pong, HTTPBody(bytes: nil, size: 0), at: EventClock.now())
      }
      ErrorBarrier.run(.webSocketHandler) { pongReceiveHandler(error) }
    }
  }

  /// Closes the connection with a close frame.
  public func cancel(with closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?) {
    if opening.withLock({ $0.close() }) {
      record(.sent, .close, HTTPBody(bytes: reason, size: reason?.count ?? 0), at: EventClock.now())
    }
    connection.cancel(with: closeCode, reason: reason)
  }

  /// Ends the connection without a close frame.
  public func cancel() { connection.cancel() }

  // MARK: Recording

  private var url: String { (task.originalRequest ?? task.currentRequest)?.url?.absoluteString ?? "" }

  private func record(_ direction: WebSocketFrameDirection, _ message: Message, at time: Int64) {
    switch message {
    case .string(let text):
      let bytes = Data(text.utf8)
      record(direction, .text, HTTPBody(bytes: bytes, size: bytes.count), at: time)
    case .data(let bytes): record(direction, .binary, HTTPBody(bytes: bytes, size: bytes.count), at: time)
    @unknown default: break
    }
  }

  private func record(
    _ direction: WebSocketFrameDirection, _ type: WebSocketFrameType, _ payload: HTTPBody, at time: Int64
  ) {
    let url = url
    network.later(bytes: payload.bytes?.count ?? 0) { [network, requestId] in
      network.record(url: url, direction, type, payload, requestId: requestId, at: time)
    }
  }

  /// Something was sent or received, or could not be: the connection is open, or has failed, or was closed.
  private func ended(_ error: (any Error)?) {
    if let start = opening.withLock({ $0.finish() }) { recordOpening(start, error) }
    guard error != nil, connection.closeCode != .invalid, opening.withLock({ $0.close() }) else { return }
    let reason = connection.closeReason
    record(.received, .close, HTTPBody(bytes: reason, size: reason?.count ?? 0), at: EventClock.now())
  }

  /// The request by which the connection was opened, or by which that failed.
  private func recordOpening(_ start: Int64, _ error: (any Error)?) {
    let request = task.originalRequest
    var exchange = HTTPExchange(id: requestId, startedAt: start, method: request?.httpMethod ?? "GET", url: url)
    exchange.requestHeaders = request?.allHTTPHeaderFields
    exchange.durationMs = Double(max(0, EventClock.now().subtracting(saturating: start)))
    exchange.source = AutoMobileNetwork.webSocketSource
    let response = connection.response as? HTTPURLResponse
    exchange.statusCode = response?.statusCode ?? (error == nil ? 101 : nil)
    if let error {
      let error = error as NSError
      exchange.error = HTTPFailure(message: error.localizedDescription, domain: error.domain, code: error.code)
    }
    network.later(bytes: 0) { [network, exchange] in
      network.record(exchange)
      network.tellOthers(exchange)
    }
  }
}

/// What is told once of a connection: its beginning and its end.
private struct WebSocketOpening {
  /// In milliseconds since 1970.
  var startedAt: Int64
  private var isFinished = false
  private var isClosed = false

  init(startedAt: Int64) { self.startedAt = startedAt }

  /// When it began; nil when that was told before.
  mutating func finish() -> Int64? {
    defer { isFinished = true }
    return isFinished ? nil : startedAt
  }

  /// Whether it was open until now.
  mutating func close() -> Bool {
    defer { isClosed = true }
    return !isClosed
  }
}
