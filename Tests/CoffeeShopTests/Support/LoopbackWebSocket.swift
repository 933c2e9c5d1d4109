import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A WebSocket over a socket of its own, for machines whose libcurl knows none: text frames, up to 125 bytes.
final class LoopbackWebSocket: WebSocketConnection {
  private let port: UInt16
  private let descriptor = Locked<Int32>(-1)
  private let writing = DispatchQueue(label: "loopback-websocket-writing")
  private let reading = DispatchQueue(label: "loopback-websocket-reading")

  init(port: UInt16) { self.port = port }

  deinit { close(descriptor.withLock { $0 }) }

  var closeCode: URLSessionWebSocketTask.CloseCode { .invalid }
  var closeReason: Data? { nil }
  var response: URLResponse? { nil }

  func resume() {
    writing.sync {
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      descriptor.withLock { $0 = socket }
      guard isConnected else { return }
      write(
        Array(
          ("GET /v1/updates HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").utf8))
      var head: [UInt8] = []
      while !head.suffix(4).elementsEqual([13, 10, 13, 10]), let byte = read(1) { head += byte }
    }
  }

  func send(
    _ message: URLSessionWebSocketTask.Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    guard case .string(let text) = message else { return completionHandler(URLError(.unsupportedURL)) }
    writing.async { [self] in
      let payload = Array(text.utf8)
      // Masked, as clients do, with zeros.
      let isSent = write([0x81, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload)
      completionHandler(isSent ? nil : URLError(.networkConnectionLost))
    }
  }

  func receive(
    completionHandler: @escaping @Sendable (Result<URLSessionWebSocketTask.Message, any Error>) -> Void
  ) {
    reading.async { [self] in
      guard let head = read(2), head[0] == 0x81, let payload = read(Int(head[1])) else {
        return completionHandler(.failure(URLError(.networkConnectionLost)))
      }
      completionHandler(.success(.string(String(decoding: payload, as: UTF8.self))))
    }
  }

  func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {}

  func cancel(with closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?) { cancel() }

  func cancel() { shutdown(descriptor.withLock { $0 }, Int32(SHUT_RDWR)) }

  @discardableResult
  private func write(_ bytes: [UInt8]) -> Bool {
    let socket = descriptor.withLock { $0 }
    return Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  private func read(_ count: Int) -> [UInt8]? {
    let socket = descriptor.withLock { $0 }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = bytes.withUnsafeMutableBytes {
        recv(socket, UnsafeMutableRawBufferPointer(rebasing: $0[filled...]).baseAddress, count - filled, 0)
      }
      guard more > 0 else { return nil }
      filled += more
    }
    return bytes
  }
}
