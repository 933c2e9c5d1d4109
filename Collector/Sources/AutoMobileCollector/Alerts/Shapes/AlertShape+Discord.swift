/// Discord's webhooks: one embed. Nobody is mentioned, whatever stands in it.
extension AlertShape {
  static func discord(_ alert: Alert, link: String?) -> JSONTree {
    var embed: [String: JSONTree] = [
      "title": .string(cut(discordEscaped(cut(mark(alert) + alert.title, 120)), 256)),
      "description": .string(cut(discordEscaped(cut(alert.text, 1900)), 4000)),
      "color": .integer(colour(alert)), "timestamp": .string(Alert.iso(alert.at)),
      "footer": .object(["text": .string(cut(footer(alert), 2000))]),
      "fields": .array(
        alert.facts.prefix(20).map { fact in
          .object([
            "name": .string(cut(fact.name, 200)), "value": .string(cut(discordEscaped(cut(fact.value, 500)), 1024)),
            "inline": .bool(true),
          ])
        }),
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
