import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is used of a `URLSessionWebSocketTask`: a test puts something else there where libcurl knows no WebSockets.
protocol WebSocketConnection: Sendable {
  var closeCode: URLSessionWebSocketTask.CloseCode { get }
  var closeReason: Data? { get }
  var response: URLResponse? { get }
  func resume()
  func send(
    _ message: URLSessionWebSocketTask.Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  func receive(
    completionHandler: @escaping @Sendable (Result<URLSessionWebSocketTask.Message, any Error>) -> Void)
  func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void)
  func cancel(with closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
  func cancel()
}

extension URLSessionWebSocketTask: WebSocketConnection {}
