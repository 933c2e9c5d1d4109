import Foundation

/// A request as the test server received it.
struct ReceivedRequest: Sendable {
  var method: String
  var path: String
  /// Names in lower case.
  var headers: [String: String]
  var body: Data
}

/// Reads one request after the other from a connection; bodies with a length or in chunks.
struct RequestReader {
  private let connection: Int32
  private var buffer = Data()

  init(_ connection: Int32) { self.connection = connection }

  /// Nil at the connection's end, or when it speaks something else than HTTP.
  mutating func next() -> ReceivedRequest? {
    guard let head = take(until: "\r\n\r\n") else { return nil }
    let lines = head.components(separatedBy: "\r\n")
    let first = (lines.first ?? "").split(separator: " ")
    guard first.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    if headers["expect"]?.lowercased() == "100-continue" {
      guard Socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: connection) else { return nil }
    }
    let body: Data?
    if headers["transfer-encoding"]?.lowercased() == "chunked" {
      body = takeChunks()
    } else {
      body = take(Int(headers["content-length"] ?? "0") ?? 0)
    }
    guard let body else { return nil }
    return ReceivedRequest(method: String(first[0]), path: String(first[1]), headers: headers, body: body)
  }

  private mutating func takeChunks() -> Data? {
    var body = Data()
    while true {
      guard let line = take(until: "\r\n"), let size = Int(line, radix: 16) else { return nil }
      guard let chunk = take(size), take(until: "\r\n") != nil else { return nil }
      if size == 0 { return body }
      body += chunk
    }
  }

  private mutating func take(until separator: String) -> String? {
    let mark = Data(separator.utf8)
    while true {
      if let range = buffer.range(of: mark) {
        defer { buffer = Data(buffer[range.upperBound...]) }
        return String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
      }
      guard buffer.count < 1 << 20, fill() else { return nil }
    }
  }

  private mutating func take(_ count: Int) -> Data? {
    while buffer.count < count { guard fill() else { return nil } }
    defer { buffer = Data(buffer.dropFirst(count)) }
    return Data(buffer.prefix(count))
  }

  private mutating func fill() -> Bool {
    guard let more = Socket.read(from: connection) else { return false }
    buffer += more
    return true
  }
}
