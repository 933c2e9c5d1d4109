import Foundation
import Glibc

/// Listens on a free port of loopback, and has each connection dealt with on a thread of its own.
final class LoopbackListener: Sendable {
  let port: Int
  private let listener: Int32

  /// - Parameters:
  ///   - wanted: which one; 0 for any.
  ///   - serve: gets each connection, which is closed when it returns.
  init(port wanted: UInt16 = 0, _ serve: @escaping @Sendable (Int32) -> Void) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else {
      close(listener)
      throw POSIXError(.EADDRINUSE)
    }
    (self.listener, port) = (listener, Int(UInt16(bigEndian: address.sin_port)))
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          // Closed here and not before: its number would be the next server's, and this thread would answer for that.
          close(listener)
          return
        }
        Thread.detachNewThread {
          serve(connection)
          close(connection)
        }
      }
    }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}
