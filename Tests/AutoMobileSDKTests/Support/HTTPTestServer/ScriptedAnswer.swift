import Foundation

/// What the test server does with a request.
enum ScriptedAnswer: Sendable {
  case answer(Int, headers: [String: String] = [:], body: Data = Data())
  /// Never answers; the connection stays open until the sender or the server ends it.
  case silence
  /// Closes without an answer.
  case close
  /// Sends these bytes, whatever they are, and closes.
  case bytes(Data)
  /// Sends these bytes and then nothing more, with the connection open.
  case stall(after: Data)
  /// Sends a header without length and then zeros without end, at the pace of a network: Foundation on Linux reads as
  /// long as there is something to read, and lets no other request of the process go on meanwhile.
  case endless

  static func json(_ status: Int, headers: [String: String] = [:], _ text: String) -> ScriptedAnswer {
    .answer(
      status, headers: headers.merging(["Content-Type": "application/json"]) { own, _ in own }, body: Data(text.utf8))
  }

  static let ok = json(200, #"{"ok":true}"#)

  /// Plays it; true when the connection may be used for another request.
  func play(on connection: Int32, isStopped: () -> Bool) -> Bool {
    switch self {
    case .answer(let status, let headers, let body):
      var head = "HTTP/1.1 \(status) Scripted\r\nContent-Length: \(body.count)\r\n"
      for (name, value) in headers { head += "\(name): \(value)\r\n" }
      return Socket.write(Data((head + "\r\n").utf8) + body, to: connection)
    case .silence: Socket.waitForEnd(of: connection, isStopped: isStopped)
    case .close: break
    case .bytes(let data): _ = Socket.write(data, to: connection)
    case .stall(let data):
      _ = Socket.write(data, to: connection)
      Socket.waitForEnd(of: connection, isStopped: isStopped)
    case .endless:
      guard Socket.write(Data("HTTP/1.1 200 OK\r\n\r\n".utf8), to: connection) else { return false }
      let zeros = Data(count: 16 * 1024)
      while !isStopped(), Socket.write(zeros, to: connection) { usleep(20_000) }
    }
    return false
  }
}
