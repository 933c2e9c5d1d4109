extension APIDescription {
  static let searches = Subject(
    name: "searches", about: "Searches that were given a name, and what the query language knows.",
    operations: [
      .get(
        "/api/searches", "listSearches", "Saved searches, by name.",
        answers: [
          .json(
            .object([
              .has(
                "searches",
                .list(
                  of: .object([
                    .has("id", .integer), .has("name", .text), .has("address", .text), .has("changedAt", .time),
                    .has("changedBy", .author),
                  ])))
            ]))
        ]),
      .post(
        "/api/searches", "saveSearch", "Saves a search; one of the same name leads there from now on.",
        "Whoever reads may save: at most \(SavedSearches.most).", takes: [.author],
        sends: body(
          [
            .has("name", name),
            .has("address", .text.most(SavedSearches.longestAddress).matching("^#/"), "A place in the viewer: `#/…`."),
          ], ["name": "Failed payments", "address": "#/network?q=status:5xx"]),
        answers: [.ok([.has("id", .integer)])], refuses: [.tooMany]),
      .put(
        "/api/searches/{id}", "renameSearch", "Renames a saved search.", takes: [.number, .author],
        sends: body([.has("name", name)], ["name": "Payments"]), answers: [.ok()],
        refuses: [.noSearch, Refusal(409, "name_taken", "another search has this name")]),
      .delete(
        "/api/searches/{id}", "deleteSearch", "Deletes a saved search.", takes: [.number], answers: [.ok()],
        refuses: [.noSearch]),
      .get(
        "/api/search/fields", "listSearchFields", "What may stand in front of a colon, for each kind of search.",
        takes: [.query("in", domain, "Only of this kind.")],
        answers: [
          .json(
            .object(
              SearchDomain.allCases.map { .may($0.rawValue, .list(of: .named("SearchField"))) }))
        ], refuses: [Refusal(400, "invalid_in", "it is none of the kinds")]),
      .get(
        "/api/search/values", "listSearchValues", "The values that a field has, the most frequent first.",
        takes: [
          .query("in", domain, "The kind of search.", required: true),
          .query("field", .text, "The field's name.", required: true),
          .query("begins", .text, "The beginning of a value, or of a part of it."),
        ],
        answers: [
          .json(
            .object([
              .has("values", .list(of: .object([.has("value", .text), .has("count", .count.orNull)])))
            ]))
        ], refuses: [Refusal(400, "invalid_field", "there is no such field")]),
    ],
    schemas: [
      .init(
        "SearchField",
        .object([
          .has("name", .text), .has("summary", .text), .has("example", .text),
          .has("compares", .flag, "Takes < and >."),
          .has("values", .flag, "Its values can be listed."), .may("choices", .list(of: .text)),
          .may("aliases", .list(of: .text)), .may("commas", .flag, "A comma is part of a value."),
        ]))
    ])

  private static let domain = Shape.choice(SearchDomain.allCases.map(\.rawValue))
  private static let name = Shape.text.least(1).most(SavedSearches.longestName)

  private static func body(_ members: [Member], _ example: DocumentValue) -> Body {
    .json(.object(members), most: SmallBodies.ofSettings, example: example)
  }
}
