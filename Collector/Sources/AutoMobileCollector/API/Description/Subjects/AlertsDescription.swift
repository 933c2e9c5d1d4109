extension APIDescription {
  static let alerts = Subject(
    name: "alerts", about: "Who is told of what, where, and what they were told.",
    operations: [
      .get(
        "/api/alerts", "getAlerts", "Rules, channels, and how looking goes.", answers: [.json(.named("Alerts"))]),
      .get(
        "/api/alerts/log", "listAlerts", "What was told, the newest first.",
        takes: [
          .before,
          .query(
            "after", .text.matching(PageCursor.pattern),
            "The `newest` of an earlier answer: only what came since, the oldest first."), .limit(50),
        ],
        answers: [
          .json(.page("log", of: "AlertEntry", [.has("newest", .text, "Where what comes later begins: for `after`.")]))
        ]),
      .post(
        "/api/alerts/rules", "addAlertRule", "Adds a rule.", takes: [.author], sends: rule, answers: [savedRule],
        refuses: badMember + [.tooMany, taken]),
      .put(
        "/api/alerts/rules/{id}", "setAlertRule", "Sets a rule anew, all of it but its kind.",
        takes: [.number, .author], sends: rule, answers: [savedRule], refuses: badMember + [noRule, taken]),
      .delete(
        "/api/alerts/rules/{id}", "removeAlertRule", "Removes a rule.", takes: [.number], answers: [.ok()],
        refuses: [noRule]),
      .post(
        "/api/alerts/rules/{id}/test", "testAlertRule", "Tells all of a rule's channels that nothing has happened.",
        takes: [.number], answers: [.ok([.has("channels", .list(of: .object([.has("id", .integer)] + outcome)))])],
        refuses: [noRule, noChannel]),
      .post(
        "/api/alerts/channels", "addAlertChannel", "Adds a channel.", takes: [.author], sends: channel,
        answers: [savedChannel], refuses: badMember + [.tooMany, taken]),
      .put(
        "/api/alerts/channels/{id}", "changeAlertChannel", "Changes a channel; what is not given stays.",
        takes: [.number, .author], sends: channel, answers: [savedChannel], refuses: badMember + [noChannel, taken]),
      .delete(
        "/api/alerts/channels/{id}", "removeAlertChannel", "Removes a channel, also from the rules.", takes: [.number],
        answers: [.ok()], refuses: [noChannel]),
      .post(
        "/api/alerts/channels/{id}/test", "testAlertChannel", "Tells a channel that nothing has happened.",
        takes: [.number], answers: [.ok(outcome)], refuses: [noChannel]),
    ], schemas: alertSchemas)

  private static let noRule = Refusal.unknown("no_rule", "no rule with this number")
  private static let noChannel = Refusal.unknown("no_channel", "no channel with this number")
  private static let taken = Refusal(409, "name_taken", "another one has this name")
  private static let badMember = [Refusal(400, "unknown_member", "a member is none of those that there are")]
  private static let savedRule = Answer.ok([.has("id", .integer), .has("sentence", .text.orNull, "What it does.")])
  private static let savedChannel = Answer.ok([
    .has("id", .integer),
    .may("secret", .text, "With which a webhook is signed, if one was made: it is not shown again."),
  ])
  private static let outcome: [Member] = [
    .has("sent", .flag), .has("status", .integer.orNull, "Of the receiver's answer."),
    .may("reason", .text, "Why it was not sent."),
  ]

  // MARK: What is sent

  private static let rule = Body.json(
    .object(
      [
        .may("name", .text.most(AlertRule.longestName)), .may("kind", ruleKind, "Of a new rule; stays."),
        .may("enabled", .flag), .may("bundleId", .text, "Only of this app."), .may("version", .text),
        .may("issueKinds", .list(of: kind).most(3)),
        .may("threshold", .number, "Reports in the time (`issue_rate`); percent (`crash_free`, `request_errors`)."),
        .may("minutes", .integer.from(1), "The time that is looked at."),
        .may("minimum", .integer.from(1, to: 1_000_000), "With fewer sessions or requests nothing is said."),
        .may("method", .text), .may("host", .text), .may("route", .text),
        .may("states", .list(of: askState).most(2), "Of what is asked for (`ask`)."),
        .may("quietMinutes", .integer.from(0, to: 10_080).standard(60), "Nothing more of the same within this time."),
        .may("resolved", .flag.standard(true), "Whether it is told when it is over."),
        .may("channels", .list(of: .integer).most(20)),
      ], isClosed: true), most: SmallBodies.ofSettings,
    example: ["kind": "issue_rate", "threshold": 10, "minutes": 60, "channels": []])

  private static let channel = Body.json(
    .object(
      [
        .may("name", .text.most(AlertRule.longestName)), .may("kind", channelKind, "Of a new channel; stays."),
        .may("url", .text.most(EgressTarget.longest)), .may("secret", .text, "`whsec_` and base64."),
        .may("routingKey", .text.most(64), "PagerDuty's."), .may("host", .text, "Of mail, as all that follow."),
        .may("port", .integer.from(1, to: 65535)),
        .may("security", .choice(AlertChannel.Mail.Security.allCases.map(\.rawValue))),
        .may("user", .text), .may("password", .text), .may("from", .text), .may("to", .list(of: .text).most(20)),
        .may("allowsPlainPassword", .flag.standard(false)),
      ], isClosed: true), most: SmallBodies.ofSettings,
    example: ["name": "Ours", "kind": "webhook", "url": "https://hooks.example.com/automobile"])

  static let askState = Shape.choice(AlertRule.states)
  static let ruleKind = Shape.choice(AlertRule.Kind.allCases.map(\.rawValue))
  static let channelKind = Shape.choice(AlertChannel.Kind.allCases.map(\.rawValue))
}
