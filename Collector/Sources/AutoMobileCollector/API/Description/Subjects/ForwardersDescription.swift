extension APIDescription {
  static let forwarders = Subject(
    name: "forwarders", about: "Where everything is passed on to, and how far that has come.",
    operations: [
      .get(
        "/api/forwarders", "getForwarders", "Forwarders, and what each of their lanes does.",
        answers: [
          .json(
            .object([
              .has("forwarders", .list(of: .named("Forwarder"))),
              .has("allowedEgress", .list(of: .text), "As `serve --allow-egress` names them."),
            ]))
        ]),
      .post(
        "/api/forwarders", "addForwarder", "Adds a forwarder, which sends what comes from now on.", takes: [.author],
        sends: forwarder, answers: [.ok([.has("id", .integer)])], refuses: badForwarder + [.tooMany, forwarderTaken]),
      .put(
        "/api/forwarders/{id}", "changeForwarder",
        "Changes a forwarder; what is not given stays. It goes on where it was, and tries again when it was blocked.",
        takes: [.number, .author], sends: forwarder, answers: [.ok([.has("id", .integer)])],
        refuses: badForwarder + [noForwarder, forwarderTaken]),
      .delete(
        "/api/forwarders/{id}", "removeForwarder", "Removes a forwarder.", takes: [.number], answers: [.ok()],
        refuses: [noForwarder]),
      .post(
        "/api/forwarders/{id}/test", "testForwarder", "Sends a record that says that it is a test.", takes: [.number],
        answers: [
          .ok([
            .has(
              "signals",
              .list(
                of: .object([
                  .has("signal", signal), .has("sent", .flag), .has("reason", .text.orNull, "Why it was not taken."),
                ])))
          ])
        ], refuses: [noForwarder]),
    ],
    schemas: [.init("Forwarder", .object(forwarderMembers)), .init("ForwarderLane", .object(laneMembers))])

  private static let noForwarder = Refusal.unknown("no_forwarder", "no forwarder with this number")
  private static let forwarderTaken = Refusal(409, "name_taken", "another one has this name")
  private static let badForwarder = [Refusal(400, "unknown_member", "a member is none of those that there are")]
  private static let signal = Shape.choice(ForwardSignal.allCases.map(\.rawValue))
  private static let level = Shape.choice(Forwarder.levels)
  private static let format = Shape.choice(OTLPFormat.allCases.map(\.rawValue))

  private static let forwarder = Body.json(
    .object(
      [
        .may("name", .text.most(Forwarder.longestName), "Without one, the host."),
        .may("url", .text.most(EgressTarget.longest), "The receiver's base, without `/v1/logs`."),
        .may("format", format.standard("protobuf")), .may("gzip", .flag.standard(true)),
        .may("headers", .map(of: .text), "All of them, by name; they are not shown again."),
        .may("types", .list(of: .text).most(50), "Only events of these types; none: of all."),
        .may("level", level.standard("verbose"), "Only events from this level upwards."),
        .may("bundleId", .text, "Only of this app; `*`: of all."),
        .may("mostBehind", .integer.from(0), "So many events may wait, older ones are left out; 0: all may."),
        .may("paused", .flag.standard(false)),
        .may("fromBeginning", .flag.standard(false), "Of a new one: also what is there already."),
      ], isClosed: true), most: SmallBodies.ofSettings,
    example: ["url": "https://otlp.example.com", "headers": ["Authorization": "Bearer TOKEN"]])

  private static let forwarderMembers: [Member] = [
    .has("id", .integer), .has("name", .text), .has("url", .text, "Its host; the rest is left out."),
    .has("format", format), .has("gzip", .flag), .has("headers", .list(of: .text), "Their names."),
    .has("types", .list(of: .text), "None: all."), .has("level", level), .has("bundleId", .text.orNull),
    .has("mostBehind", .integer.orNull), .has("paused", .flag), .has("changedAt", .time), .has("changedBy", .author),
    .has("lanes", .list(of: .named("ForwarderLane"))),
  ]

  private static let laneMembers: [Member] = [
    .has("signal", signal), .has("state", .choice(ForwardLaneView.State.allCases.map(\.rawValue))),
    .has("behind", .count, "Events of all kinds that it has not come to yet."),
    .has("sent", .count, "Records that the receiver took."),
    .has("rejected", .count, "Records that it did not take; they are not sent again."),
    .has("expired", .count, "Deleted by the retention policy before they were sent."),
    .has("passedOver", .count, "Left out, because more than `mostBehind` waited."),
    .has("lastSent", .time.orNull), .may("reason", .text, "Why it waits, or is blocked."),
    .may("attempts", .count, "In vain, one after the other."), .may("until", .time, "When it tries again."),
    .has("refusal", .text.orNull, "What the receiver said of records last: why it did not take them, or a warning."),
    .has("refusedAt", .time.orNull),
  ]
}
