import Foundation

/// A TCP connection that does exactly what it is told, for clients that misbehave. Its calls block; they run on a queue
/// of their own, not on the threads of Swift's concurrency.
final class RawSocket: @unchecked Sendable {
  // Unchecked because every use of the descriptor goes through one of the queues, and it is closed after the last.
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "raw socket")
  private let sending = DispatchQueue(label: "raw socket, sending")

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

  /// False when the other side does not take it any more. Beside reading, which waits.
  @discardableResult
  func send(_ text: String) async -> Bool {
    await withCheckedContinuation { continuation in
      sending.async { [self] in
        let bytes = Array(text.utf8)
        let sent = bytes.withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        continuation.resume(returning: sent == bytes.count)
      }
    }
  }

  /// Says that nothing more comes.
  func endSending() async {
    await withCheckedContinuation { continuation in
      sending.async { [self] in
        shutdown(descriptor, Int32(SHUT_WR))
        continuation.resume()
      }
    }
  }

  /// The next line that comes; empty at the end, too.
  func readLine() async -> String {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while Foundation.read(descriptor, &byte, 1) == 1, byte != 0x0A { if byte != 0x0D { line.append(byte) } }
        continuation.resume(returning: String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// Lines up to an empty one.
  func readHead() async -> [String] {
    var lines: [String] = []
    while case let line = await readLine(), !line.isEmpty { lines.append(line) }
    return lines
  }

  /// Reads so many bytes, and forgets them.
  func read(_ count: Int) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        var left = count
        var byte: UInt8 = 0
        while left > 0, Foundation.read(descriptor, &byte, 1) == 1 { left -= 1 }
        continuation.resume()
      }
    }
  }

  /// Whether a line with this text comes before the end.
  func readUntil(_ text: String) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        let wanted = Data(text.utf8)
        var all = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while all.range(of: wanted) == nil {
          let count = Foundation.read(descriptor, &buffer, buffer.count)
          guard count > 0 else { return continuation.resume(returning: false) }
          all += buffer[..<count]
        }
        continuation.resume(returning: true)
      }
    }
  }

  /// Everything that comes until the other side closes.
  func readToEnd() async -> String {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = Foundation.read(descriptor, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
        continuation.resume(returning: String(decoding: all, as: UTF8.self))
      }
    }
  }
}
