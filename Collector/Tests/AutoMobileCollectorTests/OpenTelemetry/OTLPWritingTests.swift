import Foundation
import NIOCore
import OpenTelemetryProto
import SwiftProtobuf
import Testing

@testable import AutoMobileCollector

/// What goes out is written by hand, and has to be what the generated code reads: whatever the records, in both encodings.
@Suite struct `Messages of OpenTelemetry, written` {
  private static let scope = OTLP.Scope.with {
    $0.name = "automobile"
    $0.version = Collector.version
  }

  @Test(arguments: OTLPFormat.allCases) func `log records are read as they were`(_ format: OTLPFormat) throws {
    var chance = Chance(seed: 21)
    for _ in 0..<60 {
      let groups = (0..<chance.below(4) + 1).map { _ in
        (Self.context(&chance), (0..<chance.below(5) + 1).map { _ in Self.logRecord(&chance) })
      }
      var messages = OutgoingMessages(format, .log, maximumDepth: 64)
      for (number, group) in groups.enumerated() {
        for record in group.1 { messages.add(record, group.0, Int64(number)) }
      }
      let taken = messages.take()
      let bytes = try #require(taken)
      let expected = OTLP.LogsRequest.with {
        $0.resourceLogs = groups.map { group in
          OTLP.ResourceLogs.with {
            $0.resource = group.0.resource
            $0.scopeLogs = [
              .with {
                $0.scope = Self.scope
                $0.logRecords = group.1
              }
            ]
          }
        }
      }
      #expect(try format.logs(bytes) == expected)
      let rest = messages.take()
      #expect(rest == nil)
    }
  }

  @Test(arguments: OTLPFormat.allCases) func `spans are read as they were`(_ format: OTLPFormat) throws {
    var chance = Chance(seed: 22)
    for _ in 0..<60 {
      let context = Self.context(&chance)
      let spans = (0..<chance.below(9) + 1).map { _ in Self.span(&chance) }
      var messages = OutgoingMessages(format, .span, maximumDepth: 64)
      for span in spans { messages.add(span, context, nil) }
      let taken = messages.take()
      let bytes = try #require(taken)
      let group = try #require(try format.spans(bytes).resourceSpans.first)
      #expect(group.resource == context.resource)
      #expect(group.scopeSpans.first?.scope == Self.scope)
      #expect(group.scopeSpans.first?.spans == spans)
    }
  }

  /// Where the number of bytes that a length takes changes, and where there are gigabytes no more.
  @Test(arguments: [0, 1, 100, 110, 127, 128, 129, 16_370, 16_383, 16_384, 2_097_151, 2_097_152, 3_000_000])
  func `a text of any length has its length before it`(_ length: Int) throws {
    let record = OTLP.LogRecord.with { $0.body.stringValue = String(repeating: "x", count: length) }
    var writer = ProtobufWriter()
    writer.nested(2) { $0.logRecord(record) }
    let scope = try OTLP.ScopeLogs(serializedBytes: writer.bytes)
    #expect(scope.logRecords == [record])
    // As short as it can be, too: some readers take no longer numbers.
    #expect(try writer.bytes.count == (scope.serializedBytes() as [UInt8]).count)
  }

  /// A writer that is used again has nothing of what it wrote before.
  @Test(arguments: OTLPFormat.allCases) func `one message after the other`(_ format: OTLPFormat) throws {
    var messages = OutgoingMessages(format, .log, maximumDepth: 64)
    for text in ["one", "two", "three"] {
      let record = OTLP.LogRecord.with { $0.body.stringValue = text }
      messages.add(record, OutgoingContext(nil, session: "s", bundleId: "a", version: nil), 1)
      let taken = messages.take()
      let bytes = try #require(taken)
      let logs = try format.logs(bytes).resourceLogs
      #expect(logs.flatMap { $0.scopeLogs.flatMap { $0.logRecords } } == [record])
    }
  }

  // MARK: Whatever there can be

  private static func context(_ chance: inout Chance) -> OutgoingContext {
    var context = OutgoingContext(nil, session: "s", bundleId: chance.text, version: chance.text)
    context.resource.attributes += attributes(&chance, depth: 2)
    return context
  }

  private static func logRecord(_ chance: inout Chance) -> OTLP.LogRecord {
    var record = OTLP.LogRecord()
    record.timeUnixNano = chance.number
    record.observedTimeUnixNano = chance.number
    record.severityNumber = .init(rawValue: chance.below(25)) ?? .info
    record.eventName = chance.text
    record.attributes = attributes(&chance, depth: 3)
    if chance.below(2) == 0 { record.body.value = value(&chance, depth: 3) }
    if chance.below(2) == 0 { (record.traceID, record.spanID) = (chance.bytes(16), chance.bytes(8)) }
    return record
  }

  private static func span(_ chance: inout Chance) -> OTLP.Span {
    var span = OTLP.Span()
    (span.traceID, span.spanID) = (chance.bytes(16), chance.bytes(8))
    if chance.below(2) == 0 { span.parentSpanID = chance.bytes(8) }
    span.name = chance.text
    span.kind = .init(rawValue: chance.below(6)) ?? .internal
    (span.startTimeUnixNano, span.endTimeUnixNano) = (chance.number, chance.number)
    span.attributes = attributes(&chance, depth: 3)
    if chance.below(2) == 0 {
      span.status.code = .init(rawValue: chance.below(3)) ?? .unset
      span.status.message = chance.text
    }
    return span
  }

  private static func attributes(_ chance: inout Chance, depth: Int) -> [OTLP.KeyValue] {
    (0..<chance.below(8)).map { _ in OTLP.KeyValue(chance.text, value(&chance, depth: depth)) }
  }

  private static func value(_ chance: inout Chance, depth: Int) -> OTLP.AnyValue.OneOf_Value {
    switch chance.below(depth > 0 ? 7 : 5) {
    case 0: .stringValue(chance.text)
    case 1: .boolValue(chance.below(2) == 0)
    case 2: .intValue(Int64(bitPattern: chance.number))
    case 3: .doubleValue([0, -0.5, 1e300, .leastNonzeroMagnitude, .infinity, 1.0 / 3][chance.below(6)])
    case 4: .bytesValue(chance.bytes(chance.below(300)))
    case 5:
      .arrayValue(
        .with { list in
          list.values = (0..<chance.below(4)).map { _ in .with { $0.value = value(&chance, depth: depth - 1) } }
          // An element that is null.
          if chance.below(3) == 0 { list.values.append(OTLP.AnyValue()) }
        })
    default: .kvlistValue(.with { $0.values = attributes(&chance, depth: depth - 1) })
    }
  }
}

/// The same numbers in each run.
private struct Chance {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9 >> 3
  }

  mutating func below(_ end: Int) -> Int { Int(next() % UInt64(end)) }

  /// Of all magnitudes, zero and the largest among them.
  var number: UInt64 {
    mutating get {
      switch below(8) {
      case 0: 0
      case 1: .max
      default: UInt64.max >> UInt64(below(64))
      }
    }
  }

  var text: String {
    mutating get {
      let texts = ["", "a", "session.id", "Größe \u{1F680}", "\"quoted\" \\ \n\t\u{0}\u{1F}\u{7F}", "\u{2028}"]
      return switch below(4) {
      case 0: String(repeating: texts[1], count: below(400))
      default: texts[below(texts.count)]
      }
    }
  }

  mutating func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }) }
}
