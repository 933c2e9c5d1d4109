import Foundation
import NIOCore
import OpenTelemetryProto
import SwiftProtobuf

@testable import AutoMobileCollector

/// Requests as an app sends them that is instrumented with OpenTelemetry.
enum OTLPStory {
  static let time: UInt64 = 1_700_000_000_000_000_000
  static let trace = Data((1...16).map { UInt8($0) })

  static func span(_ number: UInt8) -> Data { Data([0, 0, 0, 0, 0, 0, 9, number]) }

  static func resource(service: String? = "dev.example.shop", _ more: [(String, String)] = []) -> OTLP.Resource {
    OTLP.Resource.with { resource in
      if let service { resource.attributes.append(.init("service.name", service)) }
      resource.attributes += [
        .init("service.version", "3.1"), .init("os.name", "iOS"), .init("os.version", "18.1"),
        .init("device.model.identifier", "iPhone15,2"), .init("telemetry.sdk.name", "opentelemetry"),
      ]
      resource.attributes += more.map { .init($0.0, $0.1) }
    }
  }

  static func record(
    _ message: String? = nil, event: String = "", severity: Int = 9, at milliseconds: UInt64 = 0,
    session: String? = "s-1", _ attributes: [(String, OTLP.AnyValue.OneOf_Value)] = []
  ) -> OTLP.LogRecord {
    OTLP.LogRecord.with { record in
      record.timeUnixNano = time + milliseconds * 1_000_000
      record.eventName = event
      record.severityNumber = .init(rawValue: severity) ?? .info
      if let message { record.body.stringValue = message }
      if let session { record.attributes.append(.init("session.id", session)) }
      record.attributes += attributes.map { .init($0.0, $0.1) }
    }
  }

  static func logs(_ records: [OTLP.LogRecord], _ resource: OTLP.Resource = resource()) -> OTLP.LogsRequest {
    OTLP.LogsRequest.with { request in
      request.resourceLogs = [
        OTLP.ResourceLogs.with { group in
          group.resource = resource
          group.scopeLogs = [
            OTLP.ScopeLogs.with {
              $0.scope.name = "checkout"
              $0.logRecords = records
            }
          ]
        }
      ]
    }
  }

  static func span(
    _ name: String, _ number: UInt8, parent: UInt8? = nil, kind: OTLP.Span.SpanKind = .internal,
    milliseconds: UInt64 = 20, session: String? = "s-1", _ attributes: [(String, OTLP.AnyValue.OneOf_Value)] = []
  ) -> OTLP.Span {
    OTLP.Span.with { span in
      span.traceID = trace
      span.spanID = Self.span(number)
      if let parent { span.parentSpanID = Self.span(parent) }
      span.name = name
      span.kind = kind
      span.startTimeUnixNano = time
      span.endTimeUnixNano = time + milliseconds * 1_000_000
      if let session { span.attributes.append(.init("session.id", session)) }
      span.attributes += attributes.map { .init($0.0, $0.1) }
    }
  }

  static func traces(_ spans: [OTLP.Span], _ resource: OTLP.Resource = resource()) -> OTLP.TraceRequest {
    OTLP.TraceRequest.with { request in
      request.resourceSpans = [
        OTLP.ResourceSpans.with { group in
          group.resource = resource
          group.scopeSpans = [
            OTLP.ScopeSpans.with {
              $0.scope.name = "checkout"
              $0.spans = spans
            }
          ]
        }
      ]
    }
  }
}

extension RunningCollector {
  /// Sends a message, in protobuf.
  func otlp(_ path: String, _ message: any Message, headers: [(String, String)] = []) async throws -> Answer {
    let bytes: [UInt8] = try message.serializedBytes()
    return try await send(
      .POST, path, headers: [("Content-Type", "application/x-protobuf")] + headers, body: ByteBuffer(bytes: bytes))
  }

  func otlp(_ path: String, json: String, headers: [(String, String)] = []) async throws -> Answer {
    try await send(
      .POST, path, headers: [("Content-Type", "application/json")] + headers, body: ByteBuffer(string: json))
  }

  /// The events of a session, once there are so many.
  func events(of session: String, count: Int) async throws -> [JSONValue] {
    // As RFC 3986 has it: what need not be escaped must not be.
    let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
    let path = "/api/sessions/\(session.addingPercentEncoding(withAllowedCharacters: plain) ?? session)/events"
    return try await wait(for: path + "?limit=500") { $0["events"].array.count >= count }["events"].array
  }
}
