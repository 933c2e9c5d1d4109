import Foundation

/// An event on its way out: a log record or a span, by the rule for its type.
struct OutgoingRecord {
  private let row: OutgoingRow
  private let rule: OutgoingRule
  private let members: EventMembers

  init(_ row: OutgoingRow, maximumDepth: Int) {
    self.row = row
    rule = OutgoingRule.rule(for: row.type)
    members = row.payload.withUnsafeBytes { EventMembers($0, maximumDepth: maximumDepth) }
  }

  // MARK: Log records

  func logRecord(_ context: OutgoingContext) -> OTLP.LogRecord {
    var record = OTLP.LogRecord()
    record.timeUnixNano = Self.nanoseconds(row.timestamp)
    record.observedTimeUnixNano = Self.nanoseconds(row.received)
    record.eventName = eventName
    record.attributes = context.attributes
    var severity = rule.severity
    for (name, value) in members.all {
      switch target(of: name) {
      case .body?: record.body.value = value
      case .severity?: if case .intValue(let level) = value { severity = Self.severities[Int(min(max(level, 0), 5))] }
      case .name?, .span?: break
      case let target: add(name, value, target, to: &record.attributes)
      }
    }
    if isJank { record.attributes += jank }
    if let trace = members.text("traceId").flatMap({ HexID.bytes($0, count: 16) }) { record.traceID = trace }
    if let span = members.text("spanId").flatMap({ HexID.bytes($0, count: 8) }) { record.spanID = span }
    record.severityNumber = .init(rawValue: severity) ?? .info
    return record
  }

  /// verbose, debug, info, warning, error, fault.
  private static let severities = [1, 5, 9, 13, 17, 21]

  private var eventName: String {
    switch row.type {
    // A tap on something that has a name is one on that.
    case "interaction" where members.text("interactionType") != "tap": return "automobile.interaction"
    case "interaction":
      return members.value("properties.accessibilityIdentifier") == nil
        ? EventNames.screenClick : EventNames.widgetClick
    case "custom" where isJank: return EventNames.jank
    case "custom": return members.text("name") ?? "automobile.custom"
    default: return rule.event ?? ""
    }
  }

  /// The SDK's measurement of a screen's frames, when some of them came late.
  private var isJank: Bool {
    row.type == "custom" && members.text("name") == "\(Measurement.framesName)" && lateFrames > 0
  }

  private var lateFrames: Int64 {
    members.value("properties.slow").flatMap(Self.number).flatMap { Int64(exactly: $0.rounded()) } ?? 0
  }

  private var jank: [OTLP.KeyValue] {
    let seconds = members.value("properties.durationMs").flatMap(Self.number).map { $0 / 1000 }
    return [OTLP.KeyValue("app.jank.frame_count", .intValue(lateFrames))]
      + (seconds.map { [OTLP.KeyValue("app.jank.period", .doubleValue($0))] } ?? [])
  }

  // MARK: Spans

  /// What a span says of its place: the trace, itself, its parent.
  var identity: (trace: Data, span: Data, parent: Data) {
    let parent = members.text("parentSpanId").flatMap { HexID.bytes($0, count: 8) } ?? Data()
    let parts = members.text("traceparent")?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    if parts.count >= 4, let trace = HexID.bytes(parts[1], count: 16), let span = HexID.bytes(parts[2], count: 8) {
      return (trace, span, parent)
    }
    let made = made
    let trace = members.text("traceId").flatMap { HexID.bytes($0, count: 16) }
    return (trace ?? made.trace, members.text("spanId").flatMap { HexID.bytes($0, count: 8) } ?? made.span, parent)
  }

  /// For a request that carried no ids: the same ones whenever it goes out.
  private var made: (trace: Data, span: Data) {
    let hashes = row.payload.withUnsafeBytes { bytes in
      (UInt64(10)...12).map { SyntheticNames.hash(bytes, seed: $0 &+ UInt64(bitPattern: row.sequence) << 8) | 1 }
    }
    func bytes(_ value: UInt64) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
    return (bytes(hashes[0]) + bytes(hashes[1]), bytes(hashes[2]))
  }

  /// A span of which only the begin has been told.
  var isOpen: Bool { row.type == "span" && members.value("durationMs") == nil }

  func span(_ context: OutgoingContext) -> OTLP.Span {
    var span = OTLP.Span()
    (span.traceID, span.spanID, span.parentSpanID) = identity
    span.attributes = context.attributes
    for (name, value) in members.all {
      switch target(of: name) {
      case .name?, .span?, .body?, .severity?: break
      case let target: add(name, value, target, to: &span.attributes)
      }
    }
    let isRequest = row.type == "network_request"
    span.name = members.text(isRequest ? "spanName" : "name") ?? members.text("method") ?? row.type
    span.kind = isRequest ? .client : Self.kind(members.text("kind"))
    span.startTimeUnixNano = Self.nanoseconds(row.timestamp)
    let duration = members.number("durationMs") ?? 0
    span.endTimeUnixNano =
      span.startTimeUnixNano &+ ((0...1e12).contains(duration) ? UInt64((duration * 1_000_000).rounded()) : 0)
    status(&span, isRequest: isRequest)
    if isOpen { span.attributes.append(OTLP.KeyValue("automobile.unfinished", .boolValue(true))) }
    return span
  }

  private func status(_ span: inout OTLP.Span, isRequest: Bool) {
    guard isRequest else {
      switch members.text("status") {
      case "ok": span.status.code = .ok
      case "error":
        span.status.code = .error
        span.status.message = members.text("statusMessage") ?? ""
      default: break
      }
      return
    }
    let status = members.number("statusCode").map { Int64($0) }
    let error = members.text("error")
    let isUnfinished = members.value("unfinished") == .boolValue(true)
    let isCancelled = RequestOutcome.isCancellation(
      domain: members.text("errorDomain"), code: members.number("errorCode").flatMap { Int64(exactly: $0) })
    let outcome = RequestOutcome(
      status: status, hasError: error != nil, isCancelled: isCancelled, isUnfinished: isUnfinished)
    guard outcome.hasFailed else { return }
    span.status.code = .error
    span.status.message = error ?? ""
    if error == nil, let status { span.attributes.append(OTLP.KeyValue("error.type", String(status))) }
  }

  private static func kind(_ text: String?) -> OTLP.Span.SpanKind {
    switch text {
    case "client": .client
    case "server": .server
    case "producer": .producer
    case "consumer": .consumer
    default: .internal
    }
  }

  // MARK: Attributes

  /// The rule for a member, or for the object that it is of.
  private func target(of name: String) -> OutgoingRule.Target? {
    if let target = rule.target(of: name) { return target }
    guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
    switch rule.target(of: name[..<dot]) {
    case .headers(let prefix)?: return .headers(prefix)
    case .members?: return .members
    default: return nil
    }
  }

  private func add(
    _ name: String, _ value: EventMembers.Value, _ target: OutgoingRule.Target?, to attributes: inout [OTLP.KeyValue]
  ) {
    switch target {
    case .attribute(EventNames.stateNames[0])?:
      // Only what the convention knows is a state by its name.
      if case .stringValue(let state) = value, EventNames.states.contains(state) {
        attributes.append(OTLP.KeyValue(EventNames.stateNames[0], value))
      } else {
        attributes.append(OTLP.KeyValue("automobile.state", value))
      }
    case .attribute(let attribute)?: attributes.append(OTLP.KeyValue(attribute, value))
    case .whole(let attribute)?:
      let whole = Self.number(value).flatMap { Int64(exactly: $0.rounded()) }
      attributes.append(OTLP.KeyValue(attribute, whole.map { .intValue($0) } ?? value))
    case .seconds(let attribute)?:
      attributes.append(OTLP.KeyValue(attribute, Self.number(value).map { .doubleValue($0 / 1000) } ?? value))
    case .headers(let prefix)?:
      var list = OTLP.ArrayValue()
      var element = OTLP.AnyValue()
      element.value = value
      list.values = [element]
      attributes.append(OTLP.KeyValue(prefix + Self.afterDot(name).lowercased(), .arrayValue(list)))
    case .members?:
      let own = String(Self.afterDot(name))
      // What the record says of its place stands.
      if !attributes.prefix(2).contains(where: { $0.key == own }) { attributes.append(OTLP.KeyValue(own, value)) }
    case .body?, .severity?, .name?, .span?, nil: attributes.append(OTLP.KeyValue("automobile.\(name)", value))
    }
  }

  /// The name of a member without that of the object that it is of.
  private static func afterDot(_ name: String) -> Substring {
    guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return "" }
    return name[name.utf8.index(after: dot)...]
  }

  private static func number(_ value: EventMembers.Value) -> Double? {
    switch value {
    case .intValue(let number): Double(number)
    case .doubleValue(let number): number
    case .stringValue(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
    guard milliseconds > 0 else { return 0 }
    let (product, isTooLarge) = UInt64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
    return isTooLarge ? UInt64.max : product
  }
}
