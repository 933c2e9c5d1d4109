/// Discord's webhooks: one embed. Nobody is mentioned, whatever stands in it.
extension AlertShape {
  static func discord(_ alert: Alert, link: String?) -> JSONTree {
    let title = cut(discordEscaped(cut(mark(alert) + alert.title, 120)), 256)
    let text = cut(discordEscaped(cut(alert.text, 1500)), 3000)
    let below = cut(footer(alert), 500)
    // All texts of an embed together.
    var room = 6000 - [title, text, below].map(\.utf16.count).reduce(0, +)
    var fields: [JSONTree] = []
    for fact in alert.facts.prefix(20) {
      let (name, value) = (cut(fact.name, 200), cut(discordEscaped(cut(fact.value, 500)), 1024))
      room -= name.utf16.count + value.utf16.count
      guard room >= 0 else { break }
      fields.append(.object(["name": .string(name), "value": .string(value), "inline": .bool(true)]))
    }
    var embed: [String: JSONTree] = [
      "title": .string(title), "description": .string(text), "color": .integer(colour(alert)),
      "timestamp": .string(Alert.iso(alert.at)), "footer": .object(["text": .string(below)]), "fields": .array(fields),
    ]
    embed["url"] = link.map { .string($0) }
    return .object([
      "username": "AutoMobile", "embeds": .array([.object(embed)]), "allowed_mentions": .object(["parse": .array([])]),
    ])
  }

  /// Every sign that Markdown or a mention begins with.
  static func discordEscaped(_ text: String) -> String {
    escaped(text, ["\\", "*", "_", "~", "`", "|", ">", "<", "[", "]", "(", ")", "#", "-", "@", ":"])
  }

  private static func colour(_ alert: Alert) -> Int64 {
    switch alert.event == .triggered ? alert.severity : .info {
    case .critical: 0xD13438
    case .error: 0xD9730D
    case .warning: 0xC29C00
    case .info: alert.event == .resolved ? 0x2E8B57 : 0x5B6B7F
    }
  }
}
