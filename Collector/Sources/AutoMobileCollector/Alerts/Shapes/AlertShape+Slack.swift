/// Slack's incoming webhooks: Block Kit. What was recorded stands in `plain_text` only, which knows no markup and no mentions.
extension AlertShape {
  static func slack(_ alert: Alert, link: String?) -> JSONTree {
    var blocks: [JSONTree] = [
      .object(["type": "header", "text": plainText(mark(alert) + alert.title, 150)]),
      .object(["type": "section", "text": plainText(alert.text, 2900)]),
    ]
    let fields = alert.facts.prefix(10).map { plainText("\($0.name): \($0.value)", 1900) }
    if !fields.isEmpty { blocks.append(.object(["type": "section", "fields": .array(fields)])) }
    if let link {
      blocks.append(
        .object([
          "type": "actions",
          "elements": .array([
            .object(["type": "button", "text": plainText("Open in AutoMobile", 70), "url": .string(link)])
          ]),
        ]))
    }
    blocks.append(.object(["type": "context", "elements": .array([plainText(footer(alert), 1900)])]))
    return .object([
      // For notifications, and for whoever reads no blocks. This is mrkdwn: escaped, so that <!channel> is text.
      "text": .string(slackEscaped(cut(mark(alert) + alert.title + " – " + alert.text, 1000))),
      "blocks": .array(blocks), "unfurl_links": .bool(false), "unfurl_media": .bool(false),
    ])
  }

  private static func plainText(_ text: String, _ length: Int) -> JSONTree {
    .object(["type": "plain_text", "text": .string(cut(text, length)), "emoji": .bool(false)])
  }

  /// The three that mean something; with them neither links nor mentions can be made. What is left could be bold.
  static func slackEscaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .map { "*_~`".contains($0) ? "\u{200B}\($0)" : String($0) }.joined()
  }

  /// A word for colour-blind readers and plain terminals.
  static func mark(_ alert: Alert) -> String {
    switch alert.event {
    case .triggered: ""
    case .resolved: "Over: "
    case .test: "Test: "
    }
  }
}
