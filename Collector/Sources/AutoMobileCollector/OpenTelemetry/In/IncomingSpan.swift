import Foundation

/// A span as events: one that is a client's HTTP request as a request, any other as a span; what it says of exceptions as handled
/// exceptions, and its other events as events.
struct IncomingSpan {
  private let span: OTLP.Span
  private let scope: String
  private let start: Int64
  private var session: String?
  private var user: String?
  private var values: [String: OTLP.AnyValue] = [:]
  private let traceKey: (UInt64, UInt64)

  /// Events and links of one span that are kept.
  private static let mostEvents = 128

  /// nil: it has no ids, or none that can be.
  init?(_ span: OTLP.Span, scope: String, received: Int64) {
    guard span.traceID.count == 16, span.spanID.count == 8, span.traceID.contains(where: { $0 != 0 }),
      span.spanID.contains(where: { $0 != 0 })
    else { return nil }
    self.span = span
    self.scope = scope
    start = span.startTimeUnixNano > 0 ? Int64(span.startTimeUnixNano / 1_000_000) : received
    let high = span.traceID.withUnsafeBytes { SyntheticNames.hash($0, seed: 6) }
    traceKey = (high, span.spanID.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    for attribute in span.attributes {
      switch IncomingAttribute(attribute.key) {
      case .session?: session = attribute.value.text.flatMap(IncomingResource.sessionName)
      case .user?: user = attribute.value.text
      default: break
      }
      if HTTPNames.all.contains(attribute.key), values[attribute.key] == nil { values[attribute.key] = attribute.value }
    }
  }

  func add(_ resource: IncomingResource, number: Int, to batches: inout IncomingBatches) {
    guard let context = batches.context(resource, number: number, session: session, user: user, timestamp: start)
    else { return batches.reject("too much is said of too many sessions in one request") }
    let isRequest = span.kind == .client && HTTPNames.method.contains { values[$0] != nil }
    batches.add(name: IncomingBatches.name(traceKey.0, traceKey.1)) { json in
      json.object { json in
        if isRequest { request(context, &json) } else { span(context, &json) }
      }
    }
    for (index, event) in span.events.prefix(Self.mostEvents).enumerated() {
      batches.add(name: IncomingBatches.name(traceKey.0, traceKey.1, UInt64(index + 1))) { json in
        json.object { self.event(event, context, &$0) }
      }
    }
  }

  // MARK: A span

  private func head(_ type: StaticString, _ timestamp: Int64, _ context: Int64, _ json: inout EventBytes) {
    json.name("eventType")
    type.withUTF8Buffer { json.string(String(decoding: $0, as: UTF8.self)) }
    json.member("timestamp", timestamp)
    json.member("contextId", context)
    json.member("traceId", hex: span.traceID)
    json.member("spanId", hex: span.spanID)
  }

  private func span(_ context: Int64, _ json: inout EventBytes) {
    head("span", start, context, &json)
    parent(&json)
    json.member("name", span.name)
    json.member("kind", optional: Self.kind(span.kind))
    json.member("durationMs", duration)
    if span.hasStatus {
      json.member("status", optional: span.status.code == .ok ? "ok" : span.status.code == .error ? "error" : nil)
      json.member("statusMessage", optional: span.status.message)
    }
    attributes(&json) { IncomingAttribute.isPlace($0) }
    links(&json)
  }

  private func parent(_ json: inout EventBytes) {
    if span.parentSpanID.count == 8, span.parentSpanID.contains(where: { $0 != 0 }) {
      json.member("parentSpanId", hex: span.parentSpanID)
    }
  }

  /// In milliseconds; a clock that went back makes none.
  private var duration: Double {
    span.endTimeUnixNano > span.startTimeUnixNano
      ? Double(span.endTimeUnixNano - span.startTimeUnixNano) / 1_000_000 : 0
  }

  private func attributes(_ json: inout EventBytes, leavingOut isLeftOut: (String) -> Bool) {
    json.name("attributes")
    json.object { json in
      json.members(span.attributes, leavingOut: isLeftOut)
      if !scope.isEmpty, !span.attributes.contains(where: { $0.key == "otel.scope.name" }) {
        json.name("otel.scope.name")
        json.string(scope)
      }
    }
  }

  private func links(_ json: inout EventBytes) {
    guard !span.links.isEmpty else { return }
    json.name("links")
    json.array { json in
      for link in span.links.prefix(Self.mostEvents) where link.traceID.count == 16 && link.spanID.count == 8 {
        json.object { json in
          json.member("traceId", hex: link.traceID)
          json.member("spanId", hex: link.spanID)
          if !link.attributes.isEmpty {
            json.name("attributes")
            json.object { $0.members(link.attributes) { _ in false } }
          }
        }
      }
    }
  }

  static func kind(_ kind: OTLP.Span.SpanKind) -> String? {
    switch kind {
    case .client: "client"
    case .server: "server"
    case .producer: "producer"
    case .consumer: "consumer"
    default: nil
    }
  }

  // MARK: A request

  private func request(_ context: Int64, _ json: inout EventBytes) {
    head("network_request", start, context, &json)
    parent(&json)
    json.member("url", HTTPNames.url(values))
    json.member("method", text(HTTPNames.method) ?? "GET")
    let status = integer(HTTPNames.status)
    if let status { json.member("statusCode", status) }
    json.member("durationMs", duration)
    if let size = integer(HTTPNames.requestSize) { json.member("requestBodySize", size) }
    if let size = integer(HTTPNames.responseSize) { json.member("responseBodySize", size) }
    json.member("host", optional: text(HTTPNames.host))
    // An answer with a status is one, whatever the span is called an error for.
    if status == nil, span.hasStatus, span.status.code == .error {
      json.member("error", text(["error.type"]) ?? (span.status.message.isEmpty ? "error" : span.status.message))
    }
    headers("requestHeaders", "http.request.header.", &json)
    headers("responseHeaders", "http.response.header.", &json)
    json.name("traceparent")
    json.string("00-\(span.traceID.hexText)-\(span.spanID.hexText)-\(span.flags & 1 == 0 ? "00" : "01")")
    json.member("source", "opentelemetry")
    json.member("spanName", optional: span.name)
    attributes(&json) {
      IncomingAttribute.isPlace($0) || HTTPNames.all.contains($0) && $0 != "error.type"
        || $0.hasPrefix("http.request.header.")
        || $0.hasPrefix("http.response.header.")
    }
  }

  private func text(_ names: [String]) -> String? {
    names.lazy.compactMap { values[$0]?.anyText }.first { !$0.isEmpty }
  }

  private func integer(_ names: [String]) -> Int64? { names.lazy.compactMap { values[$0]?.integer }.first }

  private func headers(_ member: StaticString, _ prefix: String, _ json: inout EventBytes) {
    let found = span.attributes.filter { $0.key.hasPrefix(prefix) }
    guard !found.isEmpty else { return }
    json.name(member)
    json.object { json in
      var seen: Set<String> = []
      for header in found {
        let name = String(header.key.dropFirst(prefix.count))
        guard seen.insert(name).inserted else { continue }
        json.name(name)
        if case .arrayValue(let list)? = header.value.value {
          json.string(list.values.map(\.anyText).joined(separator: ", "))
        } else {
          json.string(header.value.anyText)
        }
      }
    }
  }

  // MARK: Its events

  private func event(_ event: OTLP.Span.Event, _ context: Int64, _ json: inout EventBytes) {
    let timestamp = event.timeUnixNano > 0 ? Int64(event.timeUnixNano / 1_000_000) : start
    var failure = IncomingException()
    for attribute in event.attributes {
      switch IncomingAttribute(attribute.key) {
      case .exceptionType?: failure.type = attribute.value.anyText
      case .exceptionMessage?: failure.message = attribute.value.anyText
      case .exceptionStack?: failure.stack = attribute.value.anyText
      case .screen?: failure.screen = attribute.value.text
      default: break
      }
    }
    if failure.isThere {
      head("handled_exception", timestamp, context, &json)
      failure.write(said: "", to: &json)
    } else {
      head("custom", timestamp, context, &json)
      json.member("name", event.name.isEmpty ? "event" : event.name)
    }
    json.member("spanName", optional: span.name)
    let rest = event.attributes.filter { !failure.isThere || !IncomingException.names.contains($0.key) }
    guard !rest.isEmpty else { return }
    if failure.isThere { json.name("attributes") } else { json.name("properties") }
    json.object { json in
      if failure.isThere { return json.members(rest) { _ in false } }
      var seen: Set<String> = []
      for attribute in rest where seen.insert(attribute.key).inserted {
        json.name(attribute.key)
        json.string(attribute.value.anyText)
      }
    }
  }
}
