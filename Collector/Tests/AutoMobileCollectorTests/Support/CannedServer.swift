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

  private let listener: LoopbackListener
  private let kept = NIOLockedValueBox<[String]>([])

  /// Whole requests, in the order in which they came.
  var requests: [String] { kept.withLockedValue { $0 } }

  /// As if none had come yet.
  func forget() { kept.withLockedValue { $0 = [] } }

  /// - Parameter answer: from the number of requests that came before, from 0.
  init(_ answer: @escaping @Sendable (Int) -> Answer) throws {
    listener = try LoopbackListener { [kept] connection in
      guard let request = Self.request(connection) else { return }
      let number = kept.withLockedValue { kept in
        kept.append(request)
        return kept.count - 1
      }
      Self.send(answer(number), to: connection)
    }
  }

  var port: Int { listener.port }

  func stop() { listener.stop() }

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
