import Foundation
import NIOCore

/// Goes through a request's records, in order.
enum IncomingRequest {
  static func add(_ request: OTLP.LogsRequest, to batches: inout IncomingBatches) throws {
    for (number, group) in request.resourceLogs.enumerated() {
      let resource = IncomingResource(group.resource)
      guard batches.open(resource) else {
        batches.reject(
          batches.closed,
          count: group.scopeLogs.reduce(0) { $0 + $1.logRecords.count })
        continue
      }
      for logs in group.scopeLogs {
        for record in logs.logRecords {
          IncomingLog(record, scope: logs.scope.name, received: batches.received)
            .add(resource, number: number, to: &batches)
          try batches.breathe()
        }
      }
    }
  }

  static func add(_ request: OTLP.TraceRequest, to batches: inout IncomingBatches) throws {
    for (number, group) in request.resourceSpans.enumerated() {
      let resource = IncomingResource(group.resource)
      guard batches.open(resource) else {
        batches.reject(
          batches.closed, count: group.scopeSpans.reduce(0) { $0 + $1.spans.count })
        continue
      }
      for spans in group.scopeSpans {
        for span in spans.spans {
          guard let incoming = IncomingSpan(span, scope: spans.scope.name, received: batches.received) else {
            batches.reject("the span has no valid trace id and span id")
            continue
          }
          incoming.add(resource, number: number, to: &batches)
          try batches.breathe()
        }
      }
    }
  }
}

extension OTLPFormat {
  /// The request with its ids as bytes, whatever form it came in. An id that is none is left out.
  func logs(_ body: ByteBuffer) throws -> OTLP.LogsRequest {
    var request = try read(OTLP.LogsRequest.self, body)
    guard self == .json else { return request }
    for group in request.resourceLogs.indices {
      for logs in request.resourceLogs[group].scopeLogs.indices {
        for index in request.resourceLogs[group].scopeLogs[logs].logRecords.indices {
          Self.mend(&request.resourceLogs[group].scopeLogs[logs].logRecords[index])
        }
      }
    }
    return request
  }

  func spans(_ body: ByteBuffer) throws -> OTLP.TraceRequest {
    var request = try read(OTLP.TraceRequest.self, body)
    guard self == .json else { return request }
    for group in request.resourceSpans.indices {
      for spans in request.resourceSpans[group].scopeSpans.indices {
        for index in request.resourceSpans[group].scopeSpans[spans].spans.indices {
          Self.mend(&request.resourceSpans[group].scopeSpans[spans].spans[index])
        }
      }
    }
    return request
  }

  private static func mend(_ record: inout OTLP.LogRecord) {
    if !record.traceID.isEmpty { record.traceID = HexID.bytes(fromJSON: record.traceID, count: 16) ?? Data() }
    if !record.spanID.isEmpty { record.spanID = HexID.bytes(fromJSON: record.spanID, count: 8) ?? Data() }
  }

  private static func mend(_ span: inout OTLP.Span) {
    span.traceID = HexID.bytes(fromJSON: span.traceID, count: 16) ?? Data()
    span.spanID = HexID.bytes(fromJSON: span.spanID, count: 8) ?? Data()
    span.parentSpanID = HexID.bytes(fromJSON: span.parentSpanID, count: 8) ?? Data()
    for index in span.links.indices {
      span.links[index].traceID = HexID.bytes(fromJSON: span.links[index].traceID, count: 16) ?? Data()
      span.links[index].spanID = HexID.bytes(fromJSON: span.links[index].spanID, count: 8) ?? Data()
    }
  }
}
