/// What OpenTelemetry keeps apart.
enum ForwardSignal: String, Sendable, CaseIterable, Codable {
  case logs, traces

  /// Below a receiver's base URL.
  var path: String { "/v1/\(rawValue)" }

  func has(type: String) -> Bool { OutgoingRule.spanTypes.contains(type) == (self == .traces) }
}
