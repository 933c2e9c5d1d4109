import Hummingbird

extension APIDescription {
  /// What a request says besides its body.
  struct Parameter: Sendable, Equatable {
    enum Place: String, Sendable { case path, query, header }

    var place: Place
    var name: String
    var schema: Shape
    var about: String
    var isRequired: Bool
    /// It can stand there several times.
    var isRepeated = false

    /// What stands in the path's braces.
    static func path(_ name: String, _ schema: Shape, _ about: String) -> Parameter {
      Parameter(place: .path, name: name, schema: schema, about: about, isRequired: true)
    }

    static func query(_ name: String, _ schema: Shape, _ about: String, required: Bool = false) -> Parameter {
      Parameter(place: .query, name: name, schema: schema, about: about, isRequired: required)
    }

    /// `?has=crash&has=hang`
    static func several(_ name: String, _ schema: Shape, _ about: String) -> Parameter {
      Parameter(
        place: .query, name: name, schema: .list(of: schema), about: about, isRequired: false, isRepeated: true)
    }

    static func header(_ name: String, _ schema: Shape, _ about: String, required: Bool = false) -> Parameter {
      Parameter(place: .header, name: name, schema: schema, about: about, isRequired: required)
    }

    var document: DocumentValue {
      var entries: [DocumentValue.Entry] = [
        .init("name", .text(name)), .init("in", .text(place.rawValue)), .init("description", .text(about)),
        .init("required", .flag(isRequired)), .init("schema", schema.document),
      ]
      if isRepeated { entries.append(.init("explode", true)) }
      return .object(entries)
    }
  }
}

// MARK: Those that many routes take

extension APIDescription.Parameter {
  /// Rows of a page. More than the most are not refused: there are as many as there can be.
  static func limit(_ standard: Int) -> Self {
    query(
      "limit", .integer.from(1).standard(.number(Int64(standard))),
      "How many at most. More than \(Request.mostRows) are cut down to that; a page also ends when it becomes too large."
    )
  }

  static let before = query(
    "before", .text.matching(PageCursor.pattern), "The `next` of the page before: where to go on.")
  static let after = query(
    "after", .text.matching(PageCursor.pattern), "The `next` of the page before: where to go on.")
  static let from = query("from", .time, "From this time on, in milliseconds since 1970.")
  static let to = query("to", .time, "Before this time, in milliseconds since 1970.")

  static func search(_ domain: SearchDomain) -> Self {
    query(
      "q", .text.most(SearchQuery.longest),
      "A search among \(domain.rawValue), in the language of Documentation/Search.md: words, \"phrases\", field:value, -not."
    )
  }

  static let event = path("id", .integer, "The number of an event.")
  static let session = path("id", .text, "A session's `sessionId`.")
  static let number = path("id", .integer, "The number of it, as it stands in the list.")
  static let author = header(
    "X-AutoMobile-Author", .text, "Who does this, percent-encoded: a name to be noted down, and no proof of anything.")
  static let ifNoneMatch = header(
    "If-None-Match", .text, "The `ETag` of what is there already: 304 when it is still so.")
}
