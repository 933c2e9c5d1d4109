/// Microsoft Teams, by a Workflow that takes a webhook: an Adaptive Card. What was recorded stands in text runs, which know no
/// Markdown.
extension AlertShape {
  static func teams(_ alert: Alert, link: String?) -> JSONTree {
    var body: [JSONTree] = [
      richText([
        run(mark(alert) + alert.title, 300, ["weight": "Bolder", "size": "Medium", "color": .string(colour(alert))])
      ]),
      richText([run(alert.text, 2000)]),
    ]
    for fact in alert.facts.prefix(20) {
      body.append(richText([run(fact.name + ": ", 200, ["weight": "Bolder"]), run(fact.value, 1000)]))
    }
    body.append(richText([run(footer(alert), 500, ["isSubtle": .bool(true), "size": "Small"])]))
    var card: [String: JSONTree] = [
      "$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
      "body": .array(body),
    ]
    if let link {
      card["actions"] = .array([
        .object(["type": "Action.OpenUrl", "title": "Open in AutoMobile", "url": .string(link)])
      ])
    }
    return .object([
      "type": "message",
      "attachments": .array([
        .object([
          "contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": .null, "content": .object(card),
        ])
      ]),
    ])
  }

  private static func richText(_ runs: [JSONTree]) -> JSONTree {
    .object(["type": "RichTextBlock", "inlines": .array(runs)])
  }

  private static func run(_ text: String, _ length: Int, _ look: [String: JSONTree] = [:]) -> JSONTree {
    .object(look.merging(["type": "TextRun", "text": .string(cut(text, length))]) { $1 })
  }

  private static func colour(_ alert: Alert) -> String {
    switch (alert.event, alert.severity) {
    case (.resolved, _): "Good"
    case (.triggered, .critical), (.triggered, .error): "Attention"
    case (.triggered, .warning): "Warning"
    default: "Default"
    }
  }
}
