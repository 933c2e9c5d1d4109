import AutoMobileJournal
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A receiver of events over real HTTP, which counts bytes as they come over the wire, and tells of every event.
///
/// It answers as our collector does: it takes both formats and both compressions, and says so; it has no configuration document. A thread for each
/// connection.
final class CountingReceiver: @unchecked Sendable {
  // Unchecked: `port` and `listener` are set once, and `counts` is changed under `lock` only.

  struct Counts {
    var requests = 0
    /// Of bodies, as they came.
    var bytes = 0
    /// With the heads of requests, and with questions for a configuration.
    var bytesWithHeads = 0
    /// Requests in AutoMobile's envelope, and their bodies.
    var envelopes = 0
    var envelopeBytes = 0
    /// What could not be read, in words.
    var problems: [String] = []
  }

  /// What a batch brings.
  ///
  /// - Parameter group: the first part of the path of the address that it was sent to.
  typealias Handler = @Sendable (_ group: String, _ batch: ReceivedBatch) -> Void

  private let lock = NSLock()
  private var counts: [String: Counts] = [:]
  private let listener: Int32
  private let port: UInt16
  private let handler: Handler

  #if os(Linux)
  // Of this machine, and none of the addresses that the SDK knows as such: it delivers as to one that is far away.
  private static let address: (number: UInt32, text: String) = (0x7F00_0002, "127.0.0.2")
  #else
  private static let address: (number: UInt32, text: String) = (0x7F00_0001, "127.0.0.1")
  #endif

  /// Nil when there can be none.
  init?(_ handler: @escaping Handler = { _, _ in }) {
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Darwin)
    listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    self.handler = handler
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = Self.address.number.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isUp = withUnsafeMutablePointer(to: &address) { [listener] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1024) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isUp else {
      close(listener)
      return nil
    }
    Thread.detachNewThread { [self] in accept() }
  }

  /// Where the SDK is to deliver to; what comes there is counted under the group's name.
  func url(_ group: String) -> String { "http://\(Self.address.text):\(port)/\(group)" }

  func counts(_ group: String) -> Counts { lock.withLock { counts[group] ?? Counts() } }

  /// Nobody new is let in.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func accept() {
    while true {
      #if canImport(Darwin)
      let connection = Darwin.accept(listener, nil, nil)
      #else
      let connection = Glibc.accept(listener, nil, nil)
      #endif
      guard connection >= 0 else { return }
      var yes: Int32 = 1
      setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      let thread = Thread { [self] in
        var requests = RequestStream(connection)
        while let request = requests.next(), answer(request, on: connection) {}
        close(connection)
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }

  private func answer(_ request: RequestStream.Request, on connection: Int32) -> Bool {
    let parts = request.path.split(separator: "/")
    guard parts.count == 2 else { return false }
    let group = String(parts[0])
    let isDelivery = request.method == "POST" && parts[1] == "sdk-events"
    change(group) { $0.bytesWithHeads += request.headSize + request.body.count }
    guard isDelivery else { return send("404 Not Found", #"{"ok":false}"#, to: connection) }
    change(group) { counts in
      counts.requests += 1
      counts.bytes += request.body.count
      if request.headers["content-type"] != BatchHeader.mediaType {
        counts.envelopes += 1
        counts.envelopeBytes += request.body.count
      }
    }
    do {
      let batch = try ReceivedBatch(request)
      handler(group, batch)
      return send("200 OK", #"{"ok":true,"accepted":\#(batch.events.count),"rejected":[]}"#, to: connection)
    } catch {
      change(group) { $0.problems.append("\(error)") }
      return send("400 Bad Request", #"{"ok":false}"#, to: connection)
    }
  }

  private func change(_ group: String, _ change: (inout Counts) -> Void) {
    lock.withLock { change(&counts[group, default: Counts()]) }
  }

  private func send(_ status: String, _ body: String, to connection: Int32) -> Bool {
    let answer =
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nAccept-Post: application/json, \(BatchHeader.mediaType);"
      + "dictionary=\(BatchDictionary.name)\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    return RequestStream.write(Array(answer.utf8), to: connection)
  }
}
