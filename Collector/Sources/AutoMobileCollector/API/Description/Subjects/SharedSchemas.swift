/// What answers about different things have in common.
extension APIDescription {
  static let shared: [Subject.NamedSchema] = [
    .init(
      "APIError",
      .object([
        .has("ok", .flag, "Always false."),
        .has(
          "error",
          .object([
            .has("code", .text, "For programs; never changes its meaning."),
            .has("message", .text, "For people: what was wrong, and what to do."),
            .may("offset", .count, "Where in the body, in bytes, after decompression."),
            .may("index", .count, "Which event of the batch."),
            .may("problems", .list(of: .named("Problem")), "Of a document: everything that is wrong in it."),
          ])),
      ])),
    .init(
      "Problem",
      .object([
        .has("place", .text, "Where in the document: `upload.rules[3].when.hang.atLeastMs`."),
        .has("reason", .text, "For people, with the place, in the words of the SDK."),
      ])),
    .init(
      "Match",
      .object([
        .has("event", .integer), .has("timestamp", .time), .has("type", .text, "Of the event."),
        .has("field", .text, "The member of the event."),
        .has("text", .text, "The words, with some of what stands around them."),
      ]).saying("Where a search was found, when that is not to be seen in the row itself.")),
  ]
}

extension APIDescription.Shape {
  /// An answer with some rows of a list.
  static func page(_ name: String, of row: String, _ more: [APIDescription.Member] = []) -> Self {
    .object(
      [
        .has(name, .list(of: .named(row))),
        .has("next", .text.orNull, "Where to go on; null when there is nothing more."),
      ] + more)
  }

  /// Somebody's name, or the key's, or where the request came from.
  static let author = text.saying("Who it was: a claim.")
}

extension [APIDescription.Member] {
  /// What a list says that was searched.
  static var searched: Self {
    [
      .may("marks", .list(of: .text), "What to mark in what was found."),
      .may(
        "wholeWords", .flag, "So many words begin like the ones searched for that only whole words were looked for."),
    ]
  }
}
