import AutoMobileCollector
import Foundation
import NIOCore
import OpenTelemetryProto

/// A receiver of logs on loopback that keeps what it gets as it came, and looks into it afterwards: reading costs more than the
/// collector takes to write.
final class ForwardReceiver: @unchecked Sendable {
  // Unchecked because `lock` guards `bodies`.
  let port: Int
  private let listener: Int32
  private let lock = NSLock()
  private var bodies: [(isCompressed: Bool, bytes: [UInt8])] = []

  init() throws {
    let listener = Loopback.socket()
    self.listener = listener
    let (isOpen, port) = Loopback.withAddress {
      bind(listener, $0, $1) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &$1) == 0
    }
    self.port = port
    guard isOpen else { throw Failure("no port for the receiver") }
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Thread.detachNewThread { [self] in
          serve(connection)
          close(connection)
        }
      }
    }
  }

  func stop() {
    #if canImport(Glibc)
    shutdown(listener, Int32(SHUT_RDWR))
    #else
    shutdown(listener, SHUT_RDWR)
    #endif
    close(listener)
  }

  private func serve(_ connection: Int32) {
    var open: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 18)
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n".utf8)
    while true {
      var request: (start: Int, end: Int, isCompressed: Bool, isLogs: Bool)?
      while request == nil || open.count < request?.end ?? 0 {
        let count = read(connection, &part, part.count)
        guard count > 0 else { return }
        open += part[..<count]
        if request == nil { request = Self.head(open) }
      }
      guard let found = request else { return }
      if found.isLogs { lock.withLock { bodies.append((found.isCompressed, Array(open[found.start..<found.end]))) } }
      open.removeFirst(found.end)
      guard answer.withUnsafeBytes({ write(connection, $0.baseAddress, $0.count) }) == answer.count else { return }
    }
  }

  private static func head(_ bytes: [UInt8]) -> (start: Int, end: Int, isCompressed: Bool, isLogs: Bool)? {
    let text = String(decoding: bytes.prefix(8192), as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].lowercased().split(separator: "\r\n")
    let length = lines.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) }
    let start = text[..<end.upperBound].utf8.count
    return (
      start, start + (length ?? 0), lines.contains("content-encoding: gzip"), lines.first?.contains("/v1/logs") == true
    )
  }

  /// How many records came, how many of them are different, and how many bytes they took on the way.
  func judge() throws -> (records: Int, different: Int, bytes: Int) {
    typealias Logs = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest
    var (records, bytes) = (0, 0)
    var names: Set<Int> = []
    for (isCompressed, body) in lock.withLock({ bodies }) {
      let whole = isCompressed ? try Inflater.gunzip(ByteBuffer(bytes: body), limit: 1 << 28) : ByteBuffer(bytes: body)
      for group in try Logs(serializedBytes: [UInt8](whole.readableBytesView)).resourceLogs {
        for record in group.scopeLogs.flatMap(\.logRecords) {
          guard let name = record.attributes.last(where: { $0.key == "log.record.uid" })?.value.stringValue else {
            throw Failure("a record has no log.record.uid")
          }
          names.insert(name.hashValue)
          records += 1
        }
      }
      bytes += body.count
    }
    return (records, names.count, bytes)
  }
}
