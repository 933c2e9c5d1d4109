import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One request after the other from a connection: what the SDK's transports send, and nothing else.
struct RequestStream {
  struct Request {
    var method: String
    var path: String
    /// Names in lower case.
    var headers: [String: String]
    /// In bytes, with the empty line.
    var headSize: Int
    var body: [UInt8]
  }

  private let connection: Int32
  private var buffer: [UInt8] = []
  private static let mostBytes = 4 << 20

  init(_ connection: Int32) { self.connection = connection }

  /// Nil at the end of the connection, and at what is no such request.
  mutating func next() -> Request? {
    var end = 0
    while true {
      if let found = endOfHead(from: end) {
        end = found
        break
      }
      end = max(0, buffer.count - 3)
      guard fill() else { return nil }
    }
    let lines = String(decoding: buffer[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    let first = (lines.first ?? "").split(separator: " ")
    guard first.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    // Bodies are in memory where they come from, so their length is known.
    guard headers["transfer-encoding"] == nil, let length = Int(headers["content-length"] ?? "0"), length >= 0,
      length <= Self.mostBytes
    else { return nil }
    if headers["expect"]?.lowercased() == "100-continue" {
      guard Self.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: connection) else { return nil }
    }
    buffer.removeFirst(end)
    while buffer.count < length { guard fill() else { return nil } }
    let body = Array(buffer[..<length])
    buffer.removeFirst(length)
    let path = String(first[1].prefix { $0 != "?" })
    return Request(method: String(first[0]), path: path, headers: headers, headSize: end, body: body)
  }

  /// After the empty line.
  private func endOfHead(from start: Int) -> Int? {
    guard buffer.count >= start + 4 else { return nil }
    for index in start...buffer.count - 4
    where buffer[index] == 13 && buffer[index + 1] == 10 && buffer[index + 2] == 13 && buffer[index + 3] == 10 {
      return index + 4
    }
    return nil
  }

  private mutating func fill() -> Bool {
    guard buffer.count <= Self.mostBytes else { return false }
    let more = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { room, count in
      count = max(0, recv(connection, room.baseAddress, room.count, 0))
    }
    buffer += more
    return !more.isEmpty
  }

  static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let sent = bytes[done...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard sent > 0 else { return false }
      done += sent
    }
    return true
  }
}
