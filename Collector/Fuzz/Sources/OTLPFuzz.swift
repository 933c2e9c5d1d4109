import AutoMobileJournal
import Foundation
import NIOCore

@testable import AutoMobileCollector

/// Requests in OpenTelemetry's protocol: what comes in, becomes events, and goes out again. The first byte says which of four it is.
enum OTLPFuzz {
  private static let limits: CollectorLimits = {
    var limits = CollectorLimits()
    limits.eventBytes = 1 << 12
    limits.otlpRecords = 64
    limits.otlpMessages = 512
    return limits
  }()

  static func run(
    _ bytes: UnsafeRawBufferPointer, told: @escaping (() throws -> Void) -> Void,
    expect: @escaping (Bool, String) -> Void
  ) {
    guard let first = bytes.first else { return }
    let format = first & 1 == 0 ? OTLPFormat.protobuf : .json
    let signal: WireCount.Signal = first & 4 != 0 ? .metrics : first & 2 == 0 ? .logs : .traces
    let body = ByteBuffer(bytes: bytes.dropFirst())
    told {
      let count = try WireCount(body, format, signal, limits: limits)
      expect(count.records <= limits.otlpRecords && count.messages <= limits.otlpMessages, "what is made is bounded")
      guard signal != .metrics else { return }
      var batches = IncomingBatches(body, limits: limits, received: 1_700_000_000_000) {
        DeliveringApp(owner: .app($0), bundleId: $0)
      }
      if signal == .logs {
        let request = try format.logs(body)
        let records = request.resourceLogs.reduce(0) { $0 + $1.scopeLogs.reduce(0) { $0 + $1.logRecords.count } }
        expect(records <= count.records, "every record was counted before it was made")
        try IncomingRequest.add(request, to: &batches)
      } else {
        let request = try format.spans(body)
        let spans = request.resourceSpans.reduce(0) { $0 + $1.scopeSpans.reduce(0) { $0 + $1.spans.count } }
        expect(spans <= count.records, "every span was counted before it was made")
        try IncomingRequest.add(request, to: &batches)
      }
      try batches.finish()
      for delivery in batches.deliveries { check(delivery.batch, expect) }
    }
  }

  /// What was accepted can be indexed, and goes out again.
  private static func check(_ batch: CheckedBatch, _ expect: @escaping (Bool, String) -> Void) {
    batch.body.withUnsafeReadableBytes { bytes in
      guard let (header, start) = try? BatchHeader.split(bytes) else { return expect(false, "a header can be read") }
      var offset = start
      var events = 0
      let codec = RecordCodec(launch: header.launchId)
      while case .record(let kind, let position, let payload, let next) = codec.parse(bytes, at: offset) {
        offset = next
        expect(position <= UInt64(Int64.max), "a position is one of SQLite's numbers")
        let part = UnsafeRawBufferPointer(rebasing: bytes[payload])
        guard kind == .event else {
          expect((try? ContextRecord(json: part)) != nil, "a context can be read")
          continue
        }
        events += 1
        expect(part.count <= limits.eventBytes, "an event's length is bounded")
        var scanner = JSONScanner(part, maximumDepth: limits.jsonDepth)
        let fields = try? EventFields(&scanner)
        expect(fields?.timestamp != nil && fields?.eventType != nil, "an accepted event can be indexed")
        goesOut(Data(part), fields.flatMap { $0.eventType.map { scanner.decode($0) } } ?? "", expect)
      }
      expect(offset == bytes.count && events == batch.events, "records to the end")
    }
  }

  private static func goesOut(_ payload: Data, _ type: String, _ expect: @escaping (Bool, String) -> Void) {
    let row = OutgoingRow(
      id: 1, timestamp: 1, received: 1, type: type, sequence: 1, context: nil, payload: payload)
    let context = OutgoingContext(nil, session: "s", bundleId: nil, version: nil)
    for format in OTLPFormat.allCases {
      let signal = OutgoingRule.rule(for: type).signal
      var messages = OutgoingMessages(format, signal, maximumDepth: limits.jsonDepth)
      messages.add(row, context)
      guard let bytes = messages.take() else { return expect(false, "an event is a record") }
      if signal == .log {
        expect((try? format.logs(bytes))?.resourceLogs.count == 1, "what is written can be read")
      } else {
        let span = (try? format.spans(bytes))?.resourceSpans.first?.scopeSpans.first?.spans.first
        expect(span?.traceID.count == 16 && span?.spanID.count == 8, "a span has its ids")
      }
    }
  }
}
