import Foundation
import Glibc

/// Answers each request with a head, and then with a byte now and then, for ever.
final class DrippingServer: Sendable {
  let port: Int
  private let listener: Int32

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    (self.listener, port) = (listener, Int(UInt16(bigEndian: address.sin_port)))
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { Self.drip(connection) }
      }
    }
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func drip(_ connection: Int32) {
    defer { close(connection) }
    var request = [UInt8](repeating: 0, count: 4096)
    guard recv(connection, &request, request.count, 0) > 0 else { return }
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    guard send(connection, head, head.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
    let part = "1\r\nx\r\n"
    while send(connection, part, part.utf8.count, Int32(MSG_NOSIGNAL)) > 0 { usleep(100_000) }
  }
}
