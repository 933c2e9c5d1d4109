import Foundation

/// A server on the loopback interface that keeps each request as it came, byte for byte.
///
/// Sendable: the requests are used under the lock; the rest is set once.
public final class RequestCatcher: @unchecked Sendable {
  public struct Caught: Sendable {
    public var requestLine = ""
    public var headers: [(name: String, value: [UInt8])] = []
    public var body = Data()

    public func values(_ name: String) -> [[UInt8]] {
      headers.filter { $0.name.caseInsensitiveCompare(name) == .orderedSame }.map(\.value)
    }
  }

  public let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (Caught) -> String
  private let keeps: Bool
  private let lock = NSLock()
  private var requests: [Caught] = []
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameter answer: what every request gets.
  public convenience init(
    answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
  ) throws {
    try self.init { _ in answer }
  }

  /// - Parameters:
  ///   - keeps: whether ``take()`` has what came.
  ///   - answer: what a request gets: the whole of it, head and body.
  public init(keeps: Bool = true, answering answer: @escaping @Sendable (Caught) -> String) throws {
    self.answer = answer
    self.keeps = keeps
    #if canImport(Darwin)
    let kind = SOCK_STREAM
    #else
    let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 16) == 0 ? getsockname(listener, pointer, &length) : -1
      }
    }
    guard code == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in serve() }
  }

  /// What came since the last call.
  public func take() -> [Caught] {
    lock.withLock {
      defer { requests = [] }
      return requests
    }
  }

  public func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    ended.wait()
    close(listener)
  }

  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        break
      }
      if let request = read(connection) {
        if keeps { lock.withLock { requests.append(request) } }
        let answer = Array(answer(request).utf8)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
      }
      close(connection)
    }
    ended.signal()
  }

  private func read(_ connection: Int32) -> Caught? {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 65536)
    func more() -> Bool {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count > 0 { bytes += buffer[..<count] }
      return count > 0
    }
    let gap = Data("\r\n\r\n".utf8)
    while bytes.range(of: gap) == nil { guard more() else { return nil } }
    guard let end = bytes.range(of: gap) else { return nil }
    var lines = Array(bytes[..<end.lowerBound]).split(separator: UInt8(ascii: "\n")).map { $0.filter { $0 != 13 } }
    var request = Caught(requestLine: String(decoding: lines.removeFirst(), as: UTF8.self))
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = line[(colon + 1)...].drop { $0 == 32 }
      request.headers.append((String(decoding: line[..<colon], as: UTF8.self), Array(value)))
    }
    let length = request.values("Content-Length").first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    while bytes.count - end.upperBound < length { guard more() else { return nil } }
    request.body = Data(bytes[end.upperBound...])
    return request
  }
}
