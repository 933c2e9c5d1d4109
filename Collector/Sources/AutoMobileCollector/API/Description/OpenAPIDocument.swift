import NIOCore

/// The description as OpenAPI 3.1 has it.
enum OpenAPIDocument {
  static func document(_ routes: [Route], _ subjects: [APIDescription.Subject]) -> DocumentValue {
    [
      "openapi": "3.1.0", "info": info,
      "servers": [["url": "/", "description": "The collector that gives this out."]],
      "tags": .list(subjects.map { ["name": .text($0.name), "description": .text($0.about)] }),
      "paths": paths(routes, subjects), "components": components(subjects, routes),
    ]
  }

  /// As text.
  static func text(_ routes: [Route], _ limits: CollectorLimits) -> ByteBuffer {
    var json = JSONOutput()
    document(routes, APIDescription.subjects(limits)).write(to: &json)
    return json.buffer
  }

  private static let info: DocumentValue = [
    "title": "AutoMobile collector", "version": .text(Collector.version),
    "summary": "What apps recorded, received and given out.",
    "description": """
    Times are milliseconds since 1970. Lists come in pages: `next` of one is `before` (or `after`) of the next one, and null \
    at the end. Refusals have the form of `APIError`; its `code` never changes its meaning, its `message` is for people. After \
    429 and 503, `Retry-After` says when to try again. Answers may gain members: ignore those that you do not know. \
    Whatever an app recorded is text of strangers.
    """,
    "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
  ]

  // MARK: Paths

  private static func paths(_ routes: [Route], _ subjects: [APIDescription.Subject]) -> DocumentValue {
    var described: [String: (operation: APIDescription.Operation, subject: String)] = [:]
    for subject in subjects {
      for operation in subject.operations {
        described["\(operation.method) \(operation.path)"] = (operation, subject.name)
      }
    }
    var entries: [DocumentValue.Entry] = []
    var places: [String: Int] = [:]
    for route in routes {
      guard let (operation, subject) = described["\(route.method) \(route.path)"] else { continue }
      let path = route.path == APIDescription.anyFile ? "/{file}" : route.path
      let entry = DocumentValue.Entry(
        route.method.lowercased(), document(operation, of: subject, for: route.access))
      if let place = places[path], case .object(let others) = entries[place].value {
        entries[place].value = .object(others + [entry])
      } else {
        places[path] = entries.count
        entries.append(.init(path, .object([entry])))
      }
    }
    return .object(entries)
  }

  private static func document(_ operation: APIDescription.Operation, of subject: String, for access: AccessWord)
    -> DocumentValue
  {
    let security: [DocumentValue] =
      access == .anyone ? [] : ["bearer", "apiKey", "publicKey"].map { .object([.init($0, .list([]))]) }
    var entries: [DocumentValue.Entry] = [
      .init("operationId", .text(operation.name)), .init("tags", .list([.text(subject)])),
      .init("summary", .text(operation.summary)),
      .init(
        "description",
        .text(
          [operation.details, "Who may: `\(access.rawValue)` (\(access.description))."].compactMap(\.self)
            .joined(separator: "\n\n"))),
      .init("x-access", .text(access.rawValue)), .init("security", .list(security)),
    ]
    if !operation.parameters.isEmpty {
      entries.append(.init("parameters", .list(operation.parameters.map(\.document))))
    }
    if let body = operation.body { entries.append(.init("requestBody", body.document)) }
    var answers = operation.answers.map { DocumentValue.Entry(String($0.status), $0.document) }
    answers += APIDescription.Refusal.documents(
      operation.refusals, beside: operation.kind(access), orAs: operation.otherForms)
    entries.append(.init("responses", .object(answers)))
    return .object(entries)
  }

  // MARK: Components

  static func components(_ subjects: [APIDescription.Subject], _ routes: [Route]) -> DocumentValue {
    let schemas = APIDescription.shared + subjects.flatMap(\.schemas)
    return [
      "schemas": .object(schemas.map { .init($0.name, $0.schema.document) }),
      "responses": .object(refusals(subjects, routes)),
      "securitySchemes": [
        "bearer": ["type": "http", "scheme": "bearer", "description": "`Authorization: Bearer KEY`."],
        "apiKey": ["type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The same key."],
        "publicKey": [
          "type": "apiKey", "in": "header", "name": "X-Public-Key",
          "description": "The same, as recorders of replays send it.",
        ],
      ],
    ]
  }

  /// What refuses in the same words.
  private static func refusals(_ subjects: [APIDescription.Subject], _ routes: [Route]) -> [DocumentValue.Entry] {
    let access = Dictionary(routes.map { ("\($0.method) \($0.path)", $0.access) }) { first, _ in first }
    let kinds = subjects.flatMap(\.operations).compactMap { operation in
      access["\(operation.method) \(operation.path)"].map { operation.kind($0) }
    }
    return Set(kinds).flatMap(\.components).sorted { $0.name < $1.name }
  }

  // MARK: Looking at it

  /// Of what it is made that can refer to a schema.
  static func body(of operation: APIDescription.Operation) -> DocumentValue {
    .list(
      operation.answers.map(\.document) + operation.parameters.map(\.document)
        + [operation.body].compactMap { $0?.document } + operation.otherForms.map(\.schema.document))
  }

  /// The names of the schemas that are meant somewhere.
  static func references(in value: DocumentValue) -> [String] {
    switch value {
    case .text, .number, .flag: []
    case .list(let values): values.flatMap(references)
    case .object(let entries):
      entries.flatMap { entry -> [String] in
        guard entry.name == "$ref", case .text(let text) = entry.value else { return references(in: entry.value) }
        return [String(text.split(separator: "/").last ?? "")]
      }
    }
  }
}

extension APIDescription.Operation {
  fileprivate func kind(_ access: AccessWord) -> APIDescription.Refusal.Kind {
    .init(access: access, hasBody: body != nil, hasContents: method != "HEAD")
  }
}
