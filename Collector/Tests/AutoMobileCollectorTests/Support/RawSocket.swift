import Foundation

/// A TCP connection that does exactly what it is told, for clients that misbehave. Its calls block; they run on a queue
/// of their own, not on the threads of Swift's concurrency.
final class RawSocket: @unchecked Sendable {
  // Unchecked because every use of the descriptor goes through `queue`.
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "raw socket")

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    // Small, so that a reader that does not read is noticed soon.
    var size: Int32 = 4096
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(descriptor) }

  func send(_ text: String) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
        continuation.resume()
      }
    }
  }

  /// The first line that comes.
  func readLine() async -> String {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != 0x0A { if byte != 0x0D { line.append(byte) } }
        continuation.resume(returning: String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// Everything that comes until the other side closes.
  func readToEnd() async -> String {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
        continuation.resume(returning: String(decoding: all, as: UTF8.self))
      }
    }
  }
}
