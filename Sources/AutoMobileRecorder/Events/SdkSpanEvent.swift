import AutoMobileSupport

/// The begin of a span, or its end: two events of one ``SdkSpanContext/spanId``, of which the second tells all that the first does.
///
/// Bounded: a name and an attribute's name have ``longestName`` bytes, a text ``longestText``, and there are
/// ``mostAttributes`` with ``mostElements`` each.
public struct SdkSpanEvent: SdkEvent {
  public static let longestName = 256
  public static let longestText = 4096
  public static let mostAttributes = 64
  public static let mostElements = 64

  public let eventType: SdkEventType
  /// When the span began, in milliseconds since 1970.
  public let timestamp: Int64
  public let name: String
  public let context: SdkSpanContext
  /// 0: it is the first of its trace.
  private let parentSpan: UInt64
  public let kind: SdkSpanKind
  /// Below 0: it has begun.
  private let microseconds: Int64
  /// Nil: nobody has said.
  public let status: SdkSpanStatus?
  public let statusMessage: String?
  /// Strings, numbers, bools, and arrays of these.
  public let attributes: [String: MetadataValue]

  /// In milliseconds, to the microsecond; nil: it has begun.
  public var durationMs: Double? { microseconds < 0 ? nil : Double(microseconds) / 1000 }

  /// 16 hexadecimal digits; nil for the first span of its trace.
  public var parentSpanId: String? { parentSpan == 0 ? nil : SpanNames.text(parentSpan) }

  public init(
    timestamp: Int64 = EventClock.now(), name: String, context: SdkSpanContext, parent: SdkSpanContext? = nil,
    kind: SdkSpanKind = .internal, durationMs: Double? = nil, status: SdkSpanStatus? = nil,
    statusMessage: String? = nil, attributes: [String: MetadataValue] = [:]
  ) {
    self.init(
      timestamp, name.limited(to: Self.longestName), context, parent, kind,
      microseconds: Self.microseconds(durationMs), status, statusMessage, attributes)
  }

  /// - Parameters:
  ///   - name: not longer than ``longestName``.
  ///   - microseconds: below 0: it has begun.
  @inline(__always)
  init(
    _ timestamp: Int64, _ name: String, _ context: SdkSpanContext, _ parent: SdkSpanContext?, _ kind: SdkSpanKind,
    microseconds: Int64, _ status: SdkSpanStatus?, _ statusMessage: String?, _ attributes: [String: MetadataValue]
  ) {
    eventType = .span
    self.timestamp = timestamp
    self.name = name
    self.context = context
    parentSpan = parent?.span ?? 0
    self.kind = kind
    self.microseconds = microseconds
    self.status = status
    self.statusMessage = statusMessage?.limited(to: Self.longestText)
    self.attributes = attributes.isEmpty ? attributes : Self.bounded(attributes)
  }

  private static func microseconds(_ milliseconds: Double?) -> Int64 {
    guard let milliseconds, milliseconds >= 0, milliseconds < 1e12 else { return -1 }
    return Int64(exactly: (milliseconds * 1000).rounded()) ?? -1
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("name", name)
    json.names(trace: context.traceHigh, context.traceLow, span: context.span)
    if parentSpan != 0 { json.member("parentSpanId", hex: parentSpan) }
    if kind != .internal { json.add("kind", kind.rawValue) }
    if microseconds >= 0 { json.member("durationMs", thousandths: microseconds.magnitude) }
    if let status { json.add("status", status.rawValue) }
    if let statusMessage { json.add("statusMessage", statusMessage) }
    if !attributes.isEmpty { json.member("attributes", attributes) }
  }
}

/// Who asked whom.
public enum SdkSpanKind: String, Codable, Sendable, CaseIterable {
  /// Work of the program's own.
  case `internal`
  /// Asked of another program, which is waited for.
  case client
  /// Asked by another program.
  case server
  /// Handed to another program, which does it when it likes.
  case producer
  /// Handed over by another program.
  case consumer
}

/// How a span went, where somebody says so.
public enum SdkSpanStatus: String, Codable, Sendable, CaseIterable {
  case ok, error
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkSpanEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    name = members.value("name")
    let context = SdkSpanContext(traceId: members.value("traceId"), spanId: members.value("spanId"))
    let parent: String? = members.value("parentSpanId")
    parentSpan = parent.flatMap { SpanNames.numbers($0.utf8, count: 1)?.1 } ?? 0
    let kind: SdkSpanKind? = members.value("kind")
    self.kind = kind ?? .internal
    microseconds = Self.microseconds(members.value("durationMs"))
    status = members.value("status")
    statusMessage = members.value("statusMessage")
    attributes = members.value("attributes") ?? [:]
    try members.end()
    guard let context else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "traceId or spanId is none"))
    }
    self.context = context
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("name", name)
    members.add("traceId", context.traceId)
    members.add("spanId", context.spanId)
    members.add("parentSpanId", parentSpanId)
    if kind != .internal { members.add("kind", kind.rawValue) }
    members.add("durationMs", durationMs)
    members.add("status", status?.rawValue)
    members.add("statusMessage", statusMessage)
    if !attributes.isEmpty { members.add("attributes", attributes) }
    try members.end()
  }
}
