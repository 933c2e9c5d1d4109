import Foundation
import Glibc
import NIOConcurrencyHelpers

/// A receiver of the test's own: keeps each request as it came, byte by byte, and answers what it is told to.
final class CannedServer: Sendable {
  struct Answer: Sendable {
    var status: String
    var headers: [(String, String)]
    var body: String

    init(_ status: String, _ headers: [(String, String)], _ body: String) {
      (self.status, self.headers, self.body) = (status, headers, body)
    }

    static func text(_ status: String, _ body: String) -> Answer { Answer(status, [], body) }
  }

  let port: Int
  private let listener: Int32
  private let kept = NIOLockedValueBox<[String]>([])

  /// Whole requests, in the order in which they came.
  var requests: [String] { kept.withLockedValue { $0 } }

  /// - Parameter answer: from the number of requests that came before, from 0.
  init(_ answer: @escaping @Sendable (Int) -> Answer) throws {
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
    Thread.detachNewThread { [kept] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          // Closed here and not before: its number would be the next server's, and this thread would answer for that.
          close(listener)
          return
        }
        Thread.detachNewThread {
          defer { close(connection) }
          guard let request = Self.request(connection) else { return }
          let number = kept.withLockedValue { kept in
            kept.append(request)
            return kept.count - 1
          }
          Self.send(answer(number), to: connection)
        }
      }
    }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func request(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16384)
    while true {
      if let head = String(decoding: bytes, as: UTF8.self).range(of: "\r\n\r\n") {
        let text = String(decoding: bytes, as: UTF8.self)
        let length =
          text[..<head.lowerBound].split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        if bytes.count >= text[..<head.upperBound].utf8.count + length { return text }
      }
      let count = recv(connection, &part, part.count, 0)
      guard count > 0 else { return nil }
      bytes += part[..<count]
    }
  }

  private static func send(_ answer: Answer, to connection: Int32) {
    var text = "HTTP/1.1 \(answer.status)\r\nContent-Length: \(answer.body.utf8.count)\r\nConnection: close\r\n"
    for (name, value) in answer.headers { text += "\(name): \(value)\r\n" }
    var bytes = Array((text + "\r\n" + answer.body).utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
