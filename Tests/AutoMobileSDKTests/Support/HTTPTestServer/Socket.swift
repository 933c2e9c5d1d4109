import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The few socket calls that the test server needs.
enum Socket {
  struct Failure: Error { var call: String, code: Int32 }

  /// A socket on 127.0.0.1, and its port. Until it listens, connections are refused.
  static func bind() throws -> (socket: Int32, port: UInt16) {
    #if canImport(Darwin)
    let stream = SOCK_STREAM
    #else
    let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, stream, 0)
    guard listener >= 0 else { throw Failure(call: "socket", code: errno) }
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = 0
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        #if canImport(Darwin)
        let code = Darwin.bind(listener, address, length)
        #else
        let code = Glibc.bind(listener, address, length)
        #endif
        return code == 0 && getsockname(listener, address, &length) == 0
      }
    }
    guard bound else {
      let code = errno
      close(listener)
      throw Failure(call: "bind", code: code)
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  static func listen(_ listener: Int32) throws {
    #if canImport(Darwin)
    let code = Darwin.listen(listener, 64)
    #else
    let code = Glibc.listen(listener, 64)
    #endif
    guard code == 0 else { throw Failure(call: "listen", code: errno) }
  }

  /// Waits a moment for a connection.
  static func accept(_ listener: Int32) -> Int32? {
    guard waitToRead(listener, milliseconds: 50) else { return nil }
    #if canImport(Darwin)
    let connection = Darwin.accept(listener, nil, nil)
    #else
    let connection = Glibc.accept(listener, nil, nil)
    #endif
    return connection >= 0 ? connection : nil
  }

  /// What has arrived; nil at the end.
  static func read(from connection: Int32) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = recv(connection, &bytes, bytes.count, 0)
    return count > 0 ? Data(bytes[..<count]) : nil
  }

  /// False when the other side does not take it.
  static func write(_ data: Data, to connection: Int32) -> Bool {
    #if canImport(Darwin)
    let flags: Int32 = 0
    var yes: Int32 = 1
    setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    return data.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = send(connection, bytes.baseAddress.map { $0 + done }, bytes.count - done, flags)
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  /// Reads and forgets until the other side ends, or the server stops.
  static func waitForEnd(of connection: Int32, isStopped: () -> Bool) {
    while !isStopped() {
      guard waitToRead(connection, milliseconds: 50) else { continue }
      guard read(from: connection) != nil else { return }
    }
  }

  static func shutdown(_ socket: Int32) {
    #if canImport(Darwin)
    _ = Darwin.shutdown(socket, SHUT_RDWR)
    #else
    _ = Glibc.shutdown(socket, Int32(SHUT_RDWR))
    #endif
  }

  static func close(_ socket: Int32) {
    #if canImport(Darwin)
    _ = Darwin.close(socket)
    #else
    _ = Glibc.close(socket)
    #endif
  }

  private static func waitToRead(_ socket: Int32, milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }
}
