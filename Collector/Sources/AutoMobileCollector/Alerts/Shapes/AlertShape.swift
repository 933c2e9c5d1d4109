import Foundation

/// How an alert is written for a channel: the body of the request that brings it.
enum AlertShape {
  /// - Parameters:
  ///   - link: the address of ``Alert/place`` in the viewer, when it is known.
  ///   - id: of the message.
  static func body(_ alert: Alert, for channel: AlertChannel, link: String?, id: String) -> [UInt8] {
    let tree =
      switch channel.kind {
      case .webhook, .mail: plain(alert, link: link, id: id)
      case .slack: slack(alert, link: link)
      case .discord: discord(alert, link: link)
      case .teams: teams(alert, link: link)
      case .pagerduty: pagerDuty(alert, link: link, key: channel.settings.routingKey ?? "")
      }
    return Array(tree.text.utf8)
  }

  /// What receivers of one's own get; further members may come.
  static func plain(_ alert: Alert, link: String?, id: String) -> JSONTree {
    var data: [String: JSONTree] = [
      "rule": .object(["id": .integer(alert.rule), "name": .string(alert.ruleName)]),
      "kind": .string(alert.kind.rawValue),
      "subject": .string(alert.subject), "thread": .string(alert.thread), "severity": .string(alert.severity.rawValue),
      "title": .string(alert.title), "text": .string(alert.text), "at": .string(Alert.iso(alert.at)),
      "facts": .array(alert.facts.map { .object(["name": .string($0.name), "value": .string($0.value)]) }),
    ]
    data["url"] = link.map { .string($0) }
    data["repeats"] = alert.repeats.map { .integer($0) }
    return .object([
      "type": .string("alert.\(alert.event.rawValue)"), "id": .string(id), "timestamp": .string(Alert.iso(alert.at)),
      "data": .object(data),
    ])
  }

  /// What stands below the facts in every shape.
  static func footer(_ alert: Alert) -> String {
    let repeats = alert.repeats.map { " · \($0) more times in the quiet time before" } ?? ""
    return "AutoMobile · \(alert.ruleName)\(repeats)"
  }

  /// At most so many characters, whole ones; never nothing that can be seen: receivers refuse an empty text.
  static func cut(_ text: String, _ length: Int) -> String {
    let short = Alert.short(text, length)
    let isVisible = short.unicodeScalars.contains { scalar in
      let properties = scalar.properties
      guard !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint else { return false }
      switch properties.generalCategory {
      case .control, .format, .unassigned, .privateUse, .surrogate: return false
      default: return true
      }
    }
    return isVisible ? short : "–"
  }

  /// Puts a backslash before what would be markup; a line break is none of ours.
  static func escaped(_ text: String, _ special: Set<Character>) -> String {
    var result = ""
    for character in text {
      if special.contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
