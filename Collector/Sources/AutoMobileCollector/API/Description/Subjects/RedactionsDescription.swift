extension APIDescription {
  static let redactions = Subject(
    name: "redactions", about: "What is taken out of what apps send, before anything of it is written.",
    operations: [
      .get(
        "/api/redactions", "listRedactions", "The rules, with how often each took something out.",
        answers: [
          .json(
            .object([
              .has("rules", .list(of: .named("Redaction"))),
              .has(
                "patterns", .list(of: .choice(RedactionPattern.allCases.map(\.rawValue))), "What can be recognised."),
            ]))
        ]),
      .post(
        "/api/redactions", "addRedaction",
        "Adds a rule: a pattern, or the name of a field. It holds for what comes from then on.",
        takes: [.author],
        sends: .json(
          .object([
            .may("project", .text.orNull, "The bundle id of a project; null: of all."),
            .may("pattern", .choice(RedactionPattern.allCases.map(\.rawValue))),
            .may("field", .text, "A member of JSON, a header or a parameter, in whatever letters."),
          ]), most: SmallBodies.ofSettings, example: ["project": "com.example.shop", "pattern": "email"]),
        answers: [.ok([.has("id", .integer)])],
        refuses: [
          Refusal(400, "invalid_rule", "neither a pattern nor a field is named, or both"),
          Refusal(400, "invalid_pattern", "there is no such pattern"),
          Refusal(400, "invalid_field", "the field has other letters, or an event is put in its place by it"),
          Refusal(400, "invalid_bundle", "the project is no bundle id"),
          Refusal(403, "other_project", "the key is for another project"),
          Refusal(403, "project_only", "the project must be named"),
          Refusal(409, "too_many", "the project has \(RedactionStore.most) rules"),
        ]),
      .delete(
        "/api/redactions/{id}", "removeRedaction", "Removes a rule. What it took out does not come back.",
        takes: [.number, .author],
        answers: [.ok()],
        refuses: [
          .unknown("no_rule", "there is no rule of this number"),
          Refusal(403, "project_only", "the rule is of all projects"),
        ]),
      .post(
        "/api/redactions/test", "tryRedaction",
        "What the rules of a project, and others beside them, make of a text. Nothing is kept.",
        takes: [.author],
        sends: .json(
          .object([
            .has("text", .text, "A text, or JSON as a text."), .may("project", .text.orNull),
            .may("patterns", .list(of: .choice(RedactionPattern.allCases.map(\.rawValue)))),
            .may("fields", .list(of: .text)),
          ]), most: SmallBodies.ofSettings, example: ["text": "mail to mira@example.com", "patterns": ["email"]]),
        answers: [.ok([.has("text", .text), .has("redacted", .count, "Places.")])],
        refuses: [
          Refusal(400, "invalid_text", "there is no text"), Refusal(400, "invalid_pattern", "there is no such pattern"),
          Refusal(400, "invalid_field", "the field has other letters, or an event is put in its place by it"),
          Refusal(400, "invalid_rule", "a pattern or a field is no text"),
          Refusal(403, "other_project", "the key is for another project"),
        ]),
    ],
    schemas: [
      .init(
        "Redaction",
        .object([
          .has("id", .integer), .has("project", .text.orNull, "Null: of all."),
          .has("kind", .choice(["pattern", "field"])),
          .has("value", .text), .has("createdAt", .time), .has("createdBy", .text),
          .has("redacted", .count, "How often it took something out."),
        ]))
    ])
}
