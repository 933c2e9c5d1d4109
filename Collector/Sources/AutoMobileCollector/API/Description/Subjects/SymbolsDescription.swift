extension APIDescription {
  static func symbols(_ limits: CollectorLimits) -> Subject {
    Subject(
      name: "symbols", about: "Symbols and sources of builds, by which addresses become functions and lines.",
      operations: [
        .get(
          "/api/symbols", "listSymbols", "The builds whose symbols are here.",
          answers: [
            .json(
              .object([
                .has("symbols", .list(of: .named("Symbols"))), .has("bytes", .count, "All together."),
                .has("limit", .count), .has("symbolizer", .text.orNull, "The program that reads them."),
                .has("problem", .text.orNull, "Why nothing can be symbolicated."),
              ]))
          ]),
        .post(
          "/api/symbols", "addSymbols", "Takes in a program, a library or a debug file.",
          takes: [.query("name", .text, "What people call the file.")],
          sends: .file(MediaType.bytes, most: limits.symbolFileBytes, "The file as it is: ELF or Mach-O."),
          answers: [.ok([.has("added", .list(of: .named("Symbols"))), .has("known", .list(of: .named("Symbols")))])],
          refuses: [Refusal(422, "no_symbols", "the file is none of these, is damaged, or does not fit"), .stored]),
        .delete(
          "/api/symbols/{id}", "removeSymbols", "Forgets a build's symbols and sources.",
          takes: [.path("id", .text, "A build id or UUID, in hexadecimal digits.")], answers: [.ok()],
          refuses: [.unknown("no_symbols", "no symbols of this build")]),
        .post(
          "/api/symbols/sources", "addSources", "Takes in the sources of builds whose symbols are here.",
          takes: [
            Parameter(
              place: .query, name: "build", schema: .list(of: .text).least(1), about: "A build id or UUID.",
              isRequired: true, isRepeated: true)
          ],
          sends: .file(
            MediaType.bytes, most: SourceRoutes.mostBytes, "An archive as `automobile symbols add --sources` makes it."),
          answers: [.ok([.has("files", .count), .has("bytes", .count), .has("commit", .text.orNull)])],
          refuses: [
            Refusal(400, "no_build", "no build is named"), .unknown("no_symbols", "no symbols of one of these builds"),
            Refusal(422, "no_sources", "the archive is none, is damaged, or does not fit"), .stored,
          ]),
        .get(
          "/api/settings/sources", "listSourceLinks", "How the files of an app are opened.", answers: [links]),
        .put(
          "/api/settings/sources", "setSourceLink", "Sets how the files of an app are opened.", takes: [.author],
          sends: .json(
            .object(
              [
                .has("app", .text.least(1), "A bundle id, or `*` for all others."),
                .may("link", .text.most(SourceLink.longest).orNull, "Null removes it."),
                .may(
                  "root", .text.most(SourceLink.longest).orNull, "What file names begin with; left out of `{path}`."),
              ], isClosed: true), most: SmallBodies.ofSettings,
            example: ["app": "com.example.shop", "link": "vscode://file/{path}:{line}", "root": "/build/shop"]),
          answers: [links], refuses: [Refusal(400, "invalid_link", "it would open something else than a source")]),
      ],
      schemas: [
        .init(
          "Symbols",
          .object([
            .has("id", .text, "The build."), .has("name", .text), .has("format", .choice(["elf", "macho"])),
            .has("architecture", .text), .has("lines", .flag, "Whether it knows lines."), .has("bytes", .count),
            .has("added", .time),
          ]))
      ])
  }

  private static let links = Answer.json(
    .object([
      .has(
        "sources",
        .list(
          of: .object([
            .has("app", .text), .has("link", .text), .has("root", .text.orNull), .has("changedAt", .time),
            .has("changedBy", .author),
          ]))),
      .has("schemes", .list(of: .text), "What a link may begin with."),
    ]))
}
