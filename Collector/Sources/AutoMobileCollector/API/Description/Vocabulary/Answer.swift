extension APIDescription {
  /// What comes back when all went well.
  struct Answer: Sendable, Equatable {
    var status: Int
    var about: String
    /// Media types, each with what it looks like.
    var contents: [Content] = []
    var headers: [AnswerHeader] = []

    struct Content: Sendable, Equatable {
      var type: String
      var schema: Shape
    }

    static func json(_ schema: Shape, _ about: String = "As asked for.") -> Answer {
      Answer(status: 200, about: about, contents: [Content(type: MediaType.json, schema: schema)])
    }

    /// `{"ok": true}`, and what else there is to say.
    static func ok(_ members: [Member] = []) -> Answer {
      .json(.object([.has("ok", .flag)] + members), "It is done.")
    }

    /// Something else than JSON.
    static func file(_ type: String, _ about: String, headers: [AnswerHeader] = []) -> Answer {
      Answer(status: 200, about: about, contents: [Content(type: type, schema: .bytes)], headers: headers)
    }

    static func nothing(_ status: Int, _ about: String) -> Answer { Answer(status: status, about: about) }

    func or(_ type: String, _ schema: Shape = .bytes) -> Answer {
      var copy = self
      copy.contents.append(Content(type: type, schema: schema))
      return copy
    }

    func with(_ headers: AnswerHeader...) -> Answer {
      var copy = self
      copy.headers += headers
      return copy
    }

    var document: DocumentValue {
      var entries: [DocumentValue.Entry] = [.init("description", .text(about))]
      if !headers.isEmpty { entries.append(.init("headers", .object(headers.map { .init($0.name, $0.document) }))) }
      if !contents.isEmpty { entries.append(.init("content", Content.document(contents))) }
      return .object(entries)
    }
  }
}

extension APIDescription.Answer.Content {
  static func document(_ contents: [Self]) -> DocumentValue {
    .object(contents.map { .init($0.type, .object([.init("schema", $0.schema.document)])) })
  }
}

extension APIDescription {
  struct AnswerHeader: Sendable, Equatable {
    var name: String
    var schema: Shape
    var about: String
    var isAlwaysThere = true

    static let eTag = AnswerHeader(name: "ETag", schema: .text, about: "Changes when the contents do.")
    static let retryAfter = AnswerHeader(
      name: "Retry-After", schema: .integer, about: "Seconds after which the same request may succeed.")
    static let disposition = AnswerHeader(
      name: "Content-Disposition", schema: .text, about: "The name under which a browser saves it.")
    static let configuration = AnswerHeader(
      name: "X-AutoMobile-Config", schema: .text, about: "The tag of the configuration that holds for the app now.")
    static let listen = AnswerHeader(
      name: "X-AutoMobile-Listen", schema: .integer,
      about: "For how many seconds a question for news is held; nothing: there is no place for one now.",
      isAlwaysThere: false)

    var document: DocumentValue {
      .object(
        [.init("description", .text(about)), .init("schema", schema.document)]
          + (isAlwaysThere ? [.init("required", .flag(true))] : []))
    }
  }
}

extension APIDescription {
  /// What a request brings.
  struct Body: Sendable, Equatable {
    var contents: [Answer.Content]
    var about: String
    /// In bytes, as sent; nil: what is too large is found out by the line.
    var most: Int64?
    var example: DocumentValue?

    static func json(_ schema: Shape, most: Int, _ about: String = "JSON.", example: DocumentValue? = nil) -> Body {
      Body(contents: [.init(type: MediaType.json, schema: schema)], about: about, most: Int64(most), example: example)
    }

    static func file(_ type: String, most: Int64?, _ about: String) -> Body {
      Body(contents: [.init(type: type, schema: .bytes)], about: about, most: most)
    }

    func or(_ type: String) -> Body {
      var copy = self
      copy.contents.append(.init(type: type, schema: .bytes))
      return copy
    }

    var document: DocumentValue {
      let kinds = contents.map { content in
        var entries: [DocumentValue.Entry] = [.init("schema", content.schema.document)]
        if let example, content.type == MediaType.json { entries.append(.init("example", example)) }
        return DocumentValue.Entry(content.type, .object(entries))
      }
      return [
        "description": .text(about + (most.map { " At most \($0) bytes." } ?? "")), "required": true,
        "content": .object(kinds),
      ]
    }
  }
}

extension APIDescription {
  /// Media types, without what some of them say besides (`charset=utf-8`).
  enum MediaType {
    static let json = "application/json"
    static let text = "text/plain"
    static let bytes = "application/octet-stream"
    static let lines = "application/x-ndjson"
  }
}
