import AutoMobileJournal
import Foundation

/// Eight apps that send as fast as they are answered.
final class Load: @unchecked Sendable {
  // Unchecked because `lock` guards what the threads share.
  private let senders: [Sender]
  private let lock = NSLock()
  private var latencies: [Double] = []
  private var failure: (any Error)?

  init(port: Int, events: Int, connections: Int, batch: Int) throws {
    senders = try (0..<connections).map { index in
      let share = events / connections + (index < events % connections ? 1 : 0)
      return try Sender(port: port, events: share, batch: batch)
    }
  }

  /// Sends everything; returns how long each answer took, in seconds.
  func run() throws -> [Double] {
    let group = DispatchGroup()
    for sender in senders {
      group.enter()
      Thread.detachNewThread { [self] in
        do {
          let times = try sender.run()
          lock.withLock { latencies += times }
        } catch {
          lock.withLock { failure = error }
        }
        group.leave()
      }
    }
    group.wait()
    if let failure { throw failure }
    return latencies
  }
}

/// One app on one connection.
private final class Sender: @unchecked Sendable {
  // Unchecked because one thread uses it.
  private let launch = LaunchID()
  private let connection: Connection
  private let events: Int
  private let batch: Int
  private let codec: RecordCodec
  private var position: UInt64 = 0
  private var sent = 0

  init(port: Int, events: Int, batch: Int) throws {
    connection = try Connection(port: port)
    self.events = events
    self.batch = batch
    codec = RecordCodec(launch: launch)
  }

  func run() throws -> [Double] {
    var latencies: [Double] = []
    while sent < events {
      let body = nextBody()
      let head = """
        POST /sdk-events HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(BatchHeader.mediaType)\r\n\
        Content-Length: \(body.count)\r\n\r\n
        """
      let start = DispatchTime.now().uptimeNanoseconds
      guard connection.exchange(Array(head.utf8) + body) else { throw Failure("the collector did not answer 200") }
      latencies.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
    }
    return latencies
  }

  private func nextBody() -> [UInt8] {
    let from = position
    var records: [UInt8] = []
    records.reserveCapacity(batch * 200)
    add(
      .context, "{\"contextId\":1,\"sessionId\":\"\(launch)\",\"userId\":\"ada\",\"appVersion\":\"1.0\",\"tags\":{}}",
      &records)
    for _ in 0..<min(batch, events - sent) {
      add(
        .eventAndBreadcrumb,
        """
        {"eventType":"navigation","timestamp":\(1_700_000_000_000 + sent),"destination":"ProductDetail\(sent % 97)",\
        "source":"custom","arguments":{"id":"\(sent)","from":"search"},"metadata":{},"contextId":1}
        """, &records)
      sent += 1
    }
    let header = BatchHeader(launchId: launch, from: from, to: position, bundleId: "dev.example.bench")
    return ((try? header.encoded()) ?? []) + records
  }

  private func add(_ kind: RecordKind, _ json: String, _ records: inout [UInt8]) {
    var json = json
    json.withUTF8 { bytes in
      _ = codec.append(kind: kind, position: position, payload: UnsafeRawBufferPointer(bytes), to: &records)
    }
    position += UInt64(RecordHeader.stride(payload: json.utf8.count))
  }
}

/// A blocking HTTP/1.1 connection.
final class Connection {
  private let descriptor: Int32

  init(port: Int) throws {
    let descriptor = Loopback.socket()
    self.descriptor = descriptor
    let (isConnected, _) = Loopback.withAddress(port: port) { connect(descriptor, $0, $1) == 0 }
    guard isConnected else { throw Failure("no connection to port \(port)") }
  }

  deinit { close(descriptor) }

  /// Sends a request; true when the answer is 200.
  func exchange(_ request: [UInt8]) -> Bool { answer(to: request)?.hasPrefix("HTTP/1.1 200") == true }

  /// Writes all of it; false when the other side has gone.
  func send(_ request: [UInt8]) -> Bool {
    var offset = 0
    while offset < request.count {
      let count = request[offset...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }

  /// What has come; nil at the end.
  func receive() -> ArraySlice<UInt8>? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    return count > 0 ? buffer[..<count] : nil
  }

  /// The whole answer: of its length, or in chunks.
  func answer(to request: [UInt8]) -> String? {
    guard send(request) else { return nil }
    var answer: [UInt8] = []
    while true {
      guard let part = receive() else { return nil }
      answer += part
      let text = String(decoding: answer, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      let head = text[..<end.lowerBound].lowercased()
      if head.contains("transfer-encoding: chunked") {
        guard text[text.index(end.upperBound, offsetBy: -1)...].hasSuffix("\r\n0\r\n\r\n") else { continue }
        return text
      }
      let length = head.split(separator: "\r\n")
        .first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) }
      if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
    }
  }
}
