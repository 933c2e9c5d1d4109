import Foundation

/// A log record as an event: what its name says it is (``EventNames``), a report when it tells of an exception, else an entry of
/// the log.
struct IncomingLog {
  private let record: OTLP.LogRecord
  private let scope: String
  private let timestamp: Int64
  private var session: String?
  private var user: String?
  private var name: String
  private var failure = IncomingException()

  init(_ record: OTLP.LogRecord, scope: String, received: Int64) {
    self.record = record
    self.scope = scope
    name = record.eventName
    let nanoseconds = record.timeUnixNano > 0 ? record.timeUnixNano : record.observedTimeUnixNano
    timestamp = nanoseconds > 0 ? Int64(nanoseconds / 1_000_000) : received
    for attribute in record.attributes {
      switch IncomingAttribute(attribute.key) {
      case .session?: session = attribute.value.text.flatMap(IncomingResource.sessionName)
      case .user?: user = attribute.value.text
      // As SDKs had it before records had a name of their own.
      case .eventName?: if name.isEmpty { name = attribute.value.text ?? "" }
      case .exceptionType?: failure.type = attribute.value.anyText
      case .exceptionMessage?: failure.message = attribute.value.anyText
      case .exceptionStack?: failure.stack = attribute.value.anyText
      case .screen?: failure.screen = attribute.value.text
      case nil: break
      }
    }
  }

  /// - Parameter resource: with its number in the request.
  func add(_ resource: IncomingResource, number: Int, to batches: inout IncomingBatches) {
    guard
      let context = batches.context(resource, number: number, session: session, user: user, timestamp: timestamp)
    else { return batches.reject("too much is said of too many sessions in one request") }
    batches.add { json in
      json.object { json in
        switch EventNames.kind(of: name) {
        case .crash?: exception("crash", context, &json)
        case .hang?: hang(context, &json)
        case .screen? where failure.screen != nil: screen(context, &json)
        case .lifecycle?: lifecycle(context, &json)
        case .click?: click(context, &json)
        case _ where failure.isThere:
          // What is fatal, an app does not live to handle.
          exception(record.severityNumber.rawValue >= 21 ? "crash" : "handled_exception", context, &json)
        case _ where !name.isEmpty: custom(context, &json)
        default: entry(context, &json)
        }
      }
    }
  }

  // MARK: Events

  private func head(_ type: StaticString, _ context: Int64, _ json: inout EventBytes) {
    json.name("eventType")
    type.withUTF8Buffer { json.string(String(decoding: $0, as: UTF8.self)) }
    json.member("timestamp", timestamp)
    json.member("contextId", context)
    if record.traceID.count == 16 { json.member("traceId", hex: record.traceID) }
    if record.spanID.count == 8 { json.member("spanId", hex: record.spanID) }
  }

  private func entry(_ context: Int64, _ json: inout EventBytes) {
    head("log", context, &json)
    json.member("level", Self.level(record.severityNumber.rawValue, record.severityText))
    json.member("tag", optional: scope)
    json.member("message", record.hasBody ? record.body.anyText : record.severityText)
    json.member("filterName", "OpenTelemetry")
    rest(&json) { IncomingAttribute.isPlace($0) }
  }

  private func exception(_ type: StaticString, _ context: Int64, _ json: inout EventBytes) {
    head(type, context, &json)
    failure.write(said: record.hasBody ? record.body.anyText : "", to: &json)
    rest(&json) { IncomingAttribute.isPlace($0) || IncomingException.names.contains($0) }
  }

  private func hang(_ context: Int64, _ json: inout EventBytes) {
    head("hang", context, &json)
    let seconds = value(EventNames.hangDuration)?.number ?? 0
    json.member("durationMs", (0...86_400).contains(seconds) ? seconds * 1000 : 0)
    json.member("stackTrace", optional: value("code.stacktrace")?.text ?? failure.stack)
    json.member("currentScreen", optional: failure.screen)
    rest(&json) { IncomingAttribute.isPlace($0) || $0 == EventNames.hangDuration || $0 == "code.stacktrace" }
  }

  private func screen(_ context: Int64, _ json: inout EventBytes) {
    head("navigation", context, &json)
    json.member("destination", failure.screen ?? "")
    json.member("source", "custom")
    properties("arguments", &json) { $0 == EventNames.screenName }
  }

  private func lifecycle(_ context: Int64, _ json: inout EventBytes) {
    head("lifecycle", context, &json)
    let state = EventNames.stateNames.lazy.compactMap { value($0)?.text }.first
    json.member("state", state ?? name.replacing(".", with: "_"))
    properties("details", &json) { EventNames.stateNames.contains($0) }
  }

  private func click(_ context: Int64, _ json: inout EventBytes) {
    head("interaction", context, &json)
    json.member("interactionType", "tap")
    json.name("properties")
    json.object { json in
      for (attribute, property) in EventNames.clickProperties {
        guard let value = value(attribute)?.anyText, !value.isEmpty else { continue }
        json.name(property)
        json.string(value)
      }
      let known = EventNames.clickProperties.map(\.attribute)
      texts(&json) { known.contains($0) }
    }
  }

  private func custom(_ context: Int64, _ json: inout EventBytes) {
    head("custom", context, &json)
    json.member("name", name)
    if record.hasBody { json.member("message", optional: record.body.anyText) }
    properties("properties", &json) { $0 == "event.name" }
  }

  // MARK: Attributes

  private func value(_ name: String) -> OTLP.AnyValue? { record.attributes.first { $0.key == name }?.value }

  /// What is left, as it came: kept and found.
  private func rest(_ json: inout EventBytes, leavingOut isLeftOut: (String) -> Bool) {
    guard record.attributes.contains(where: { !isLeftOut($0.key) }) else { return }
    json.name("attributes")
    json.object { $0.members(record.attributes, leavingOut: isLeftOut) }
  }

  /// What is left, as the SDK's properties: texts.
  private func properties(_ name: StaticString, _ json: inout EventBytes, leavingOut isLeftOut: (String) -> Bool) {
    json.name(name)
    json.object { texts(&$0, leavingOut: isLeftOut) }
  }

  private func texts(_ json: inout EventBytes, leavingOut isLeftOut: (String) -> Bool) {
    var seen: Set<String> = []
    for attribute in record.attributes
    where !IncomingAttribute.isPlace(attribute.key) && !isLeftOut(attribute.key)
      && seen.insert(attribute.key).inserted
    {
      json.name(attribute.key)
      json.string(attribute.value.anyText)
    }
  }

  /// The SDK's levels, 0 to 5, of OpenTelemetry's, 1 to 24; of the sender's own word where there is no number.
  static func level(_ severity: Int, _ text: String) -> Int64 {
    switch severity {
    case 1...4: return 0
    case 5...8: return 1
    case 9...12: return 2
    case 13...16: return 3
    case 17...20: return 4
    case 21...: return 5
    default: break
    }
    switch text.prefix(5).uppercased() {
    case "TRACE", "VERBO": return 0
    case "DEBUG": return 1
    case "WARN", "WARNI": return 3
    case "ERROR", "ERR": return 4
    case "FATAL", "CRITI", "FAULT", "PANIC": return 5
    default: return 2
    }
  }
}
