extension APIDescription {
  static let alertSchemas: [Subject.NamedSchema] = [
    .init(
      "Alerts",
      .object([
        .has("rules", .list(of: .named("AlertRule"))), .has("channels", .list(of: .named("AlertChannel"))),
        .has("firing", .map(of: .count), "By a rule's number: of how many things it is the case now."),
        .has("waiting", .map(of: .count), "By a channel's number: how many messages are still to be sent."),
        .has("publicURL", .text.orNull, "Where links in messages lead."),
        .has("allowedEgress", .list(of: .text), "As `serve --allow-egress` names them."),
        .has(
          "watch",
          .object([
            .has("looks", .count), .has("lastLook", .time.orNull), .has("totalMs", .number),
            .has("longestMs", .number), .has("problem", .text.orNull),
          ])),
        .has(
          "sending",
          .object([
            .has("sent", .count, "Since the collector started, as the next two."),
            .has("failed", .count, "For good."),
            .has("unreadable", .count, "Messages that were set aside, because nothing could be read of them."),
            .has("problem", .text.orNull),
          ])),
      ])),
    .init("AlertRule", .object(ruleMembers)), .init("AlertChannel", .object(channelMembers)),
    .init("AlertEntry", .object(entryMembers)),
  ]

  private static let ruleMembers: [Member] = [
    .has("id", .integer), .has("name", .text), .has("kind", ruleKind), .has("sentence", .text, "What it does."),
    .has("enabled", .flag), .has("bundleId", .text.orNull), .has("version", .text.orNull),
    .may("issueKinds", .list(of: kind)), .may("threshold", .number), .may("minutes", .integer),
    .may("minimum", .integer), .may("method", .text.orNull), .may("host", .text.orNull), .may("route", .text.orNull),
    .may("states", .list(of: askState)),
    .has("quietMinutes", .integer), .may("resolved", .flag), .has("channels", .list(of: .integer)),
    .has("held", .count, "What was not told, because there was too much."), .has("since", .time),
    .has("changedAt", .time),
    .has("changedBy", .author),
  ]

  private static let channelMembers: [Member] = [
    .has("id", .integer), .has("name", .text), .has("kind", channelKind),
    .may("url", .text, "Its host; the rest is left out."), .may("secret", .text, "Its last characters."),
    .may("routingKey", .text, "Its last characters."), .may("host", .text), .may("port", .integer),
    .may("security", .choice(AlertChannel.Mail.Security.allCases.map(\.rawValue))), .may("user", .text.orNull),
    .may("hasPassword", .flag), .may("allowsPlainPassword", .flag), .may("from", .text), .may("to", .list(of: .text)),
    .has("changedAt", .time), .has("changedBy", .author),
  ]

  private static let entryMembers: [Member] = [
    .has("id", .integer), .has("rule", .integer), .has("at", .time, "When it was found."),
    .has("event", .text, "`triggered`, `resolved`, `test`."), .may("ruleName", .text, "As it was called then."),
    .may("kind", ruleKind), .may("severity", .text), .may("title", .text), .may("text", .text),
    .may("place", .text.orNull, "Where in the viewer."), .may("happenedAt", .time),
    .may("repeats", .integer.orNull, "How often it happened in the quiet time before."),
    .has("held", .text.orNull, "Why nobody was told."),
    .has(
      "messages",
      .list(
        of: .object([
          .has("id", .text), .has("channel", .integer), .has("channelName", .text.orNull), .has("state", .text),
          .has("attempts", .count), .may("due", .time, "When it is tried again."), .has("status", .integer.orNull),
          .has("reason", .text.orNull), .has("changedAt", .time),
        ]))),
  ]
}
