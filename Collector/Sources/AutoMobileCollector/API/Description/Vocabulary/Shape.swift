extension APIDescription {
  /// What a value looks like: JSON Schema (2020-12) in the words that an API needs.
  ///
  ///     .object([
  ///       .has("id", .integer, "The number of the event."),
  ///       .has("screen", .text.orNull),
  ///       .may("match", .named("Match")),
  ///     ])
  struct Shape: Sendable, Equatable {
    private(set) var keywords: [DocumentValue.Entry]

    private init(_ keywords: [DocumentValue.Entry]) { self.keywords = keywords }

    private static func type(_ name: DocumentValue) -> Shape { Shape([.init("type", name)]) }

    // MARK: Values

    static let text = type("string")
    /// Of 64 bits, unless it is said to be smaller.
    static let integer = Shape([.init("type", "integer"), .init("format", "int64")])
    static let number = type("number")
    static let flag = type("boolean")
    static let null = type("null")
    /// Milliseconds since 1970.
    static let time = integer.saying("Milliseconds since 1970.")
    static let count = integer.from(0)
    static let anything = Shape([])
    /// An object whose members nobody here knows: what an app recorded.
    static let anyObject = type("object")
    /// Bytes, as they are.
    static let bytes = Shape([])

    /// A schema of the components.
    static func named(_ name: String) -> Shape { Shape([.init("$ref", .text("#/components/schemas/\(name)"))]) }

    static func choice(_ values: [String]) -> Shape {
      Shape([.init("type", "string"), .init("enum", .list(values.map { .text($0) }))])
    }

    /// One of these.
    static func either(_ schemas: [Shape]) -> Shape {
      Shape([.init("anyOf", .list(schemas.map(\.document)))])
    }

    static func list(of schema: Shape) -> Shape { Shape([.init("type", "array"), .init("items", schema.document)]) }

    /// A list in which each place has a meaning of its own.
    static func places(_ schemas: [Shape]) -> Shape {
      Shape([
        .init("type", "array"), .init("prefixItems", .list(schemas.map(\.document))), .init("items", false),
        .init("minItems", .number(Int64(schemas.count))),
      ])
    }

    /// An object whose names are not known beforehand, and whose values are.
    static func map(of schema: Shape) -> Shape {
      Shape([.init("type", "object"), .init("additionalProperties", schema.document)])
    }

    /// - Parameter isClosed: other members are refused. Answers are open: they may gain members.
    static func object(_ members: [Member], isClosed: Bool = false) -> Shape {
      var keywords: [DocumentValue.Entry] = [
        .init("type", "object"),
        .init("properties", .object(members.map { .init($0.name, $0.schema.document) })),
      ]
      let required = members.filter(\.isRequired).map { DocumentValue.text($0.name) }
      if !required.isEmpty { keywords.append(.init("required", .list(required))) }
      if isClosed { keywords.append(.init("additionalProperties", false)) }
      return Shape(keywords)
    }

    // MARK: More about one

    /// The same, or null.
    var orNull: Shape {
      guard case .text(let type)? = document["type"], document["enum"] == nil else {
        return Shape([.init("anyOf", [document, ["type": "null"]])])
      }
      return replacing("type", with: .list([.text(type), "null"]))
    }

    /// At most so many characters or elements.
    func most(_ count: Int) -> Shape { adding(isList ? "maxItems" : "maxLength", .number(Int64(count))) }
    /// At least so many characters or elements.
    func least(_ count: Int) -> Shape { adding(isList ? "minItems" : "minLength", .number(Int64(count))) }
    func from(_ least: Int64) -> Shape { adding("minimum", .number(least)) }
    func from(_ least: Int64, to most: Int64) -> Shape { from(least).adding("maximum", .number(most)) }
    /// When nothing is said, it is this.
    func standard(_ value: DocumentValue) -> Shape { adding("default", value) }
    func example(_ value: DocumentValue) -> Shape { adding("examples", .list([value])) }
    /// A regular expression (ECMA-262).
    func matching(_ pattern: String) -> Shape { adding("pattern", .text(pattern)) }
    func saying(_ text: String) -> Shape { replacing("description", with: .text(text)) }

    var document: DocumentValue { .object(keywords) }

    private var isList: Bool { document["type"] == "array" }

    private func adding(_ name: String, _ value: DocumentValue) -> Shape { Shape(keywords + [.init(name, value)]) }

    private func replacing(_ name: String, with value: DocumentValue) -> Shape {
      guard let index = keywords.firstIndex(where: { $0.name == name }) else { return adding(name, value) }
      var copy = self
      copy.keywords[index].value = value
      return copy
    }
  }
}

extension APIDescription {
  /// A member of an object.
  struct Member: Sendable, Equatable {
    var name: String
    var schema: Shape
    var isRequired: Bool

    /// It is always there.
    static func has(_ name: String, _ schema: Shape, _ about: String? = nil) -> Member {
      Member(name: name, schema: about.map(schema.saying) ?? schema, isRequired: true)
    }

    /// It can be left out.
    static func may(_ name: String, _ schema: Shape, _ about: String? = nil) -> Member {
      Member(name: name, schema: about.map(schema.saying) ?? schema, isRequired: false)
    }
  }
}
