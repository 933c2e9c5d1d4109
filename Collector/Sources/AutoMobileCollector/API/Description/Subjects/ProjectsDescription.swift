extension APIDescription {
  static let projects = Subject(
    name: "projects", about: "Apps, and the keys by which they deliver and people read.",
    operations: [
      .get(
        "/api/projects", "listProjects", "Projects and keys; of a key, never the key itself.",
        answers: [
          .json(
            .object([
              .has("projects", .list(of: .named("Project"))),
              .has("keys", .list(of: .named("Key")), "Those of no project: viewers' and operators'."),
            ]))
        ]),
      .post(
        "/api/projects", "createProject", "Makes a project for an app.", takes: [.author],
        sends: body(
          [.has("bundleId", .text.least(1).most(DataOwner.longestBundle)), .may("name", name)],
          ["bundleId": "com.example.shop", "name": "Shop"]), answers: [.ok([.has("id", .integer)])],
        refuses: [Refusal(409, "exists", "the app has a project already"), .tooMany]),
      .put(
        "/api/projects/{id}", "changeProject", "Renames a project, or sets where its issues are tracked.",
        takes: [.number],
        sends: body(
          [
            .may("name", name),
            .may("tracker", .text.orNull, "An address with {\(TrackerTemplate.names.joined(separator: "}, {"))}."),
          ], ["tracker": "https://github.com/acme/shop/issues/new?title={title}&body={url}"]), answers: [.ok()],
        refuses: [.noProject, Refusal(400, "invalid_tracker", "the address is none, or has other names in braces")]),
      .put(
        "/api/projects/{id}/retention", "setProjectRetention",
        "How many days a project's sessions are kept. Of these and the collector's the shorter ones hold.",
        takes: [.number],
        sends: .json(
          .object([.has("days", days, "Null: as the collector.")], isClosed: true), most: SmallBodies.ofSettings,
          example: ["days": 7]),
        answers: [.ok(retention)],
        refuses: [.noProject, Refusal(400, "invalid_retention", "there is another member, or it is no object")]),
      .delete(
        "/api/projects/{id}", "removeProject", "Removes a project, and ends its keys. What was recorded stays.",
        takes: [.number], answers: [.ok()], refuses: [.noProject]),
      .post(
        "/api/keys", "createKey", "Makes a key. This is the only time that it is given out.", takes: [.author],
        sends: body(
          [
            .may("role", .choice(AccessKey.Role.allCases.map(\.rawValue)).standard("ingest")),
            .may("project", .integer, "Of an ingest key. Of others: the only one that they see or change."),
            .may("name", name),
          ], ["role": "viewer", "name": "Support"]), answers: [newKey],
        refuses: [
          .noProject, .tooMany, Refusal(400, "invalid_project", "an ingest key has a project"),
          .operatorsKey,
        ]),
      .put(
        "/api/keys/{id}", "renameKey", "Renames a key.", takes: [.number],
        sends: body([.has("name", name)], ["name": "Support"]), answers: [.ok()], refuses: [.noKey, .operatorsKey]),
      .post(
        "/api/keys/{id}/rotate", "rotateKey", "Makes another key in the place of one, which stays good for a while.",
        takes: [.number, .author],
        sends: body(
          [
            .may(
              "graceDays",
              .integer.from(0, to: ProjectRoutes.maximumGraceDays).standard(.number(ProjectRoutes.graceDays)))
          ], ["graceDays": 7]), answers: [newKey],
        refuses: [.noKey, .tooMany, .operatorsKey]),
      .delete(
        "/api/keys/{id}", "revokeKey", "Ends a key at once.", takes: [.number, .author], answers: [.ok()],
        refuses: [.noKey, .operatorsKey]),
    ],
    schemas: [
      .init(
        "Project",
        .object(
          [
            .has("id", .integer), .has("name", .text), .has("bundleId", .text), .has("createdAt", .time),
            .has("sessions", .count), .has("received", .time.orNull, "When something came last."),
            .has("tracker", .text.orNull), .has("keys", .list(of: .named("Key"))),
          ] + retention)),
      .init(
        "Key",
        .object([
          .has("id", .integer), .has("name", .text), .has("role", .choice(AccessKey.Role.allCases.map(\.rawValue))),
          .has("hint", .text, "Its last characters."), .has("createdAt", .time), .has("lastUsedAt", .time.orNull),
          .has("endsAt", .time.orNull), .has("good", .flag),
          .has("requests", .count, "Since the collector started."), .has("bytes", .count, "Delivered since then."),
          .has("limited", .count, "Requests since then that a limit refused."),
        ])),
    ])

  private static let days = Shape.integer.from(1, to: Int64(RetentionPolicy.mostDays)).orNull
  private static let retention: [Member] = [
    .has("days", days, "Its own; null: it has none."),
    .has("keptDays", days, "That hold: its own or the collector's, whichever are shorter; null: everything is kept."),
  ]
  private static let name = Shape.text.least(1).most(ProjectRoutes.maximumName)
  private static let newKey = Answer.ok([.has("id", .integer), .has("key", .text, "The key itself.")])

  private static func body(_ members: [Member], _ example: DocumentValue) -> Body {
    .json(.object(members), most: SmallBodies.ofSettings, example: example)
  }
}
