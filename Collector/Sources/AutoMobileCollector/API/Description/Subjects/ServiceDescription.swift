extension APIDescription {
  static let service = Subject(
    name: "service", about: "The collector itself: that it lives, its figures, its viewer, and this description.",
    operations: [
      .get(
        "/health", "getStatus", "That the collector lives.",
        answers: [
          .json(
            .object([
              .has("status", .choice(["ok", "degraded"])), .has("version", .text), .has("port", .count),
              .may("index", .text, "Why nothing is indexed at this moment. What is delivered is kept all the same."),
              .may(
                "telemetry", .text,
                "That ClickHouse does not take what was delivered, with the shards that do not. It is kept all the same."
              ),
              .may(
                "clickhouse",
                .object([
                  .has("backlogBytes", .count), .has("batches", .count), .has("rows", .count),
                  .has("deliveries", .count), .has("oldestSeconds", .number),
                  .has("silentShards", .list(of: .count)),
                ]), "What waits on its way into ClickHouse, where telemetry is kept there."),
              .may(
                "state", .text,
                "That projects, keys and decisions cannot be changed, since the database that collectors share does not answer."
              ),
              .may(
                "blobs", .text, "That replays wait on the collector's disk, since the blob store does not take them."),
            ]))
        ]),
      .get(
        "/metrics", "getMetrics", "The collector's own figures, as Prometheus reads them.",
        answers: [.file(MediaType.text, "Text, version 0.0.4.")]),
      .get(
        "/openapi.json", "getDescription", "This description.", takes: [.ifNoneMatch],
        answers: [
          Answer.json(.anyObject, "OpenAPI 3.1.").with(.eTag), .nothing(304, "It is still the same.").with(.eTag),
        ]),
      .get(
        "/", "getViewer", "The viewer's page.", takes: [.ifNoneMatch],
        answers: [
          Answer.file("text/html", "The page.", headers: [.eTag]),
          .nothing(304, "It is still the same.").with(.eTag),
        ]),
      .get(
        APIDescription.anyFile, "getViewerFile", "A file of the viewer.",
        "Whatever else is asked for with GET or HEAD comes here, and is not found. Other methods are not found at all: 404.",
        takes: [file, .ifNoneMatch], answers: viewer(with: webTypes), refuses: [noFile]),
      .head("/", "checkViewer", "The head of the viewer's page.", takes: [.ifNoneMatch], answers: viewer(with: [])),
      .head(
        APIDescription.anyFile, "checkViewerFile", "The head of a file of the viewer.", takes: [file, .ifNoneMatch],
        answers: viewer(with: []), refuses: [noFile]),
    ])

  private static let file = Parameter.path("file", .text, "Its path; it can have slashes.")
  private static let noFile = Refusal.unknown("not_found", "the viewer has no such file")
  private static let webTypes = WebAssets.mediaTypes

  private static func viewer(with types: [String]) -> [Answer] {
    [
      Answer(
        status: 200, about: "The file.", contents: types.map { .init(type: $0, schema: .bytes) }, headers: [.eTag]),
      .nothing(304, "It is still the same.").with(.eTag),
      .nothing(307, "A page of another version asks: its file is there now."),
    ]
  }
}
