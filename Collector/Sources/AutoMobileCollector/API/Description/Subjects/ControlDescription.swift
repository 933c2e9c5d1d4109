extension APIDescription {
  static let control = Subject(
    name: "control", about: "What apps are told: configuration documents, and commands to debug builds.",
    operations: [
      .get(
        "/sdk-config", "getOwnConfiguration", "The configuration that holds for an app: what the SDK asks for.",
        takes: [app, .query("launchId", .text, "The launch that asks."), asker, .ifNoneMatch],
        answers: [
          Answer.json(.anyObject, "The document.").with(.eTag, .configuration, .listen),
          .nothing(304, "It is still the same.").with(.eTag, .configuration, .listen),
        ]),
      .get(
        "/api/config", "listConfigurations", "The documents of all apps.",
        answers: [
          .json(.object([.has("issuer", .text), .has("documents", .list(of: .named("Configuration")))]))
        ]),
      .get(
        "/api/config/{bundle}", "getConfiguration", "An app's document, and what the app gets.", takes: [configuredApp],
        answers: [effective], refuses: [Refusal(400, "invalid_bundle", "it is no bundle id"), .otherProject]),
      .get(
        "/api/config/{bundle}/history", "listConfigurationChanges", "The changes of a document, the newest first.",
        takes: [configuredApp, .limit(20)],
        answers: [.json(.object([.has("changes", .list(of: .named("Configuration")))]))],
        refuses: [Refusal(400, "invalid_bundle", "it is no bundle id"), .otherProject]),
      .put(
        "/api/config/{bundle}", "setConfiguration", "Replaces an app's document.",
        """
        With the `version` that was read, nothing newer is overwritten. Documentation/Control.md has the sections. Of the section \
        `upload` everything that is wrong is told in `problems`.
        """,
        takes: [configuredApp, .author],
        sends: .json(
          .anyObject, most: ConfigurationRules.maximumSize, "The document, section by section.",
          example: ["recording": ["enabled": false]]), answers: [effective],
        refuses: [
          Refusal(400, "invalid_configuration", "a member is not what it must be: the message names it"),
          Refusal(400, "invalid_bundle", "it is no bundle id"),
          Refusal(409, "conflict", "the document has another version by now"), .tooMany,
        ]),
      DryRunDescription.operation,
      .get(
        "/sdk-commands", "awaitCommands", "Commands for a debug build, which waits for them.",
        "Without `commands`, and from an app that says who it is: waits until there is another configuration for it.",
        takes: [
          asker,
          .query("launchId", .text.most(64), "The launch that asks.", required: true), app,
          .query("commands", .text, "The commands that it knows, with commas between them."),
          .query(
            "wait", .number.from(0, to: Int64(CommandRoutes.longestWait)), "Seconds to wait; 25 when nothing is said."),
          .query("config", .text, "The tag of the configuration that it has: another one is news."),
        ],
        answers: [
          Answer.json(
            .object([
              .has(
                "commands",
                .list(
                  of: .object([
                    .has("id", .text), .has("command", .text), .has("arguments", .anything),
                    .has("timeoutSeconds", .number),
                  ])))
            ]), "Commands."
          ).with(.configuration),
          .nothing(204, "None came.").with(.configuration, .listen),
        ], refuses: [Refusal(400, "no_launch", "launchId is missing, or too long")]),
      .post(
        "/sdk-commands/{id}/result", "answerCommand", "What came of a command.",
        takes: [
          .path("id", .text, "The command's `id`."), .query("launchId", .text, "The launch that answers."), app,
        ], sends: .json(.anyObject, most: CommandRoutes.longestAnswer, "`{\"ok\": …}`, and what else there is."),
        answers: [.ok()], refuses: [.unknown("no_command", "nobody waits for it")]),
      .get(
        "/api/commands", "listListeners", "Debug builds that wait for commands.",
        answers: [
          .json(
            .object([
              .has(
                "listeners",
                .list(
                  of: .object([
                    .has("launchId", .text), .has("bundleId", .text.orNull), .has("commands", .list(of: .text)),
                    .has("lastSeen", .time),
                  ]))), .has("left", .list(of: .text), "Launches that waited and do not any more."),
            ]))
        ]),
      .post(
        "/api/commands", "giveCommand", "Gives a command to a debug build, and waits for what comes of it.",
        sends: .json(
          .object([
            .has("command", .text.least(1).most(64)),
            .may("launchId", .text, "The launch, or the beginning of it; this or the app."),
            .may("bundleId", .text, "The app: its latest launch."), .may("arguments", .anything),
            .may("timeoutSeconds", .number.standard(10), "From 0.1 to \(Int(CommandRoutes.longestTimeout))."),
          ]), most: CommandRoutes.longestRequest, example: ["command": "ping", "bundleId": "com.example.shop"]),
        answers: [
          .json(
            .object([
              .has("launchId", .text), .has("bundleId", .text.orNull), .has("milliseconds", .count),
              .has("answer", .anything, "What the app said."),
            ]))
        ],
        refuses: [
          Refusal(400, "no_command", "command is missing"),
          Refusal(400, "no_target", "neither app nor launch is named"),
          Refusal(400, "invalid_timeout", "it is shorter or longer than it may be"),
          .unknown("no_listener", "the app does not wait for commands"),
          Refusal(504, "timeout", "the app said nothing in time"),
        ]),
    ],
    schemas: [
      DryRunDescription.schema,
      .init("Configuration", .object(document)),
      .init(
        "EffectiveConfiguration",
        .object(document + [.has("issuer", .text), .has("effective", .anyObject, "What the app gets.")])),
    ])

  private static let app = Parameter.query("bundleId", .text, "The app; with its own key it can be left out.")
  static let asker = Parameter.header(
    "X-AutoMobile-Asker", .text,
    "`session=…&user=…&device=…&version=…`, percent-encoded: who asks, where an app keeps what it records.")
  static let configuredApp = Parameter.path("bundle", .text, "A bundle id, or `*` for all apps.")
  private static let effective = Answer.json(.named("EffectiveConfiguration"))

  private static let document: [Member] = [
    .has("bundleId", .text), .has("version", .count, "0: there is none."), .has("document", .anyObject),
    .has("changedAt", .time.orNull), .has("changedBy", .author.orNull),
  ]
}
