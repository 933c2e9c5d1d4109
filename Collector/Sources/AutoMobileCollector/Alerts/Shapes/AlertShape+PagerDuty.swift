/// PagerDuty's Events API v2: an alert opens an incident, its end resolves the same one.
extension AlertShape {
  static func pagerDuty(_ alert: Alert, link: String?, key: String) -> JSONTree {
    var event: [String: JSONTree] = [
      "routing_key": .string(key), "event_action": alert.event == .resolved ? "resolve" : "trigger",
      "dedup_key": .string(alert.thread), "client": "AutoMobile",
    ]
    if let link {
      event["client_url"] = .string(link)
      event["links"] = .array([.object(["href": .string(link), "text": "Open in AutoMobile"])])
    }
    var details: [String: JSONTree] = ["text": .string(cut(alert.text, 1000)), "rule": .string(alert.ruleName)]
    for fact in alert.facts { details[fact.name] = .string(cut(fact.value, 500)) }
    event["payload"] = .object([
      "summary": .string(cut(mark(alert) + alert.title, 1000)), "source": "automobile",
      "severity": .string(alert.event == .triggered ? alert.severity.rawValue : "info"),
      "timestamp": .string(Alert.iso(alert.at)), "class": .string(alert.kind.rawValue),
      "custom_details": .object(details),
    ])
    return .object(event)
  }
}
