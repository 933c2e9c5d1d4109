/// What a value looks like: JSON Schema (2020-12) in the words that an API needs.
///
///     .object([
///       .has("id", .integer, "The number of the event."),
///       .has("screen", .text.orNull),
///       .may("match", .named("Match")),
///     ])
struct Schema: Sendable, Equatable {
  private(set) var keywords: [DocumentValue.Entry]

  private init(_ keywords: [DocumentValue.Entry]) { self.keywords = keywords }

  private static func type(_ name: DocumentValue) -> Schema { Schema([.init("type", name)]) }

  // MARK: Values

  static let text = type("string")
  /// Of 64 bits, unless it is said to be smaller.
  static let integer = Schema([.init("type", "integer"), .init("format", "int64")])
  static let number = type("number")
  static let flag = type("boolean")
  /// Milliseconds since 1970.
  static let time = integer.saying("Milliseconds since 1970.")
  static let count = integer.from(0)
  static let anything = Schema([])
  /// An object whose members nobody here knows: what an app recorded.
  static let anyObject = type("object")
  /// Bytes, as they are.
  static let bytes = Schema([])

  /// A schema of the components.
  static func named(_ name: String) -> Schema { Schema([.init("$ref", .text("#/components/schemas/\(name)"))]) }

  static func choice(_ values: [String]) -> Schema {
    Schema([.init("type", "string"), .init("enum", .list(values.map { .text($0) }))])
  }

  static func list(of schema: Schema) -> Schema { Schema([.init("type", "array"), .init("items", schema.document)]) }

  /// A list in which each place has a meaning of its own.
  static func places(_ schemas: [Schema]) -> Schema {
    Schema([
      .init("type", "array"), .init("prefixItems", .list(schemas.map(\.document))), .init("items", false),
      .init("minItems", .number(Int64(schemas.count))),
    ])
  }

  /// An object whose names are not known beforehand, and whose values are.
  static func map(of schema: Schema) -> Schema {
    Schema([.init("type", "object"), .init("additionalProperties", schema.document)])
  }

  /// - Parameter isClosed: other members are refused. Answers are open: they may gain members.
  static func object(_ members: [Member], isClosed: Bool = false) -> Schema {
    var keywords: [DocumentValue.Entry] = [
      .init("type", "object"),
      .init("properties", .object(members.map { .init($0.name, $0.schema.document) })),
    ]
    let required = members.filter(\.isRequired).map { DocumentValue.text($0.name) }
    if !required.isEmpty { keywords.append(.init("required", .list(required))) }
    if isClosed { keywords.append(.init("additionalProperties", false)) }
    return Schema(keywords)
  }

  // MARK: More about one

  /// The same, or null.
  var orNull: Schema {
    guard case .text(let type)? = document["type"], document["enum"] == nil else {
      return Schema([.init("anyOf", [document, ["type": "null"]])])
    }
    return replacing("type", with: .list([.text(type), "null"]))
  }

  /// At most so many characters or elements.
  func most(_ count: Int) -> Schema { adding(isList ? "maxItems" : "maxLength", .number(Int64(count))) }
  /// At least so many characters or elements.
  func least(_ count: Int) -> Schema { adding(isList ? "minItems" : "minLength", .number(Int64(count))) }
  func from(_ least: Int64) -> Schema { adding("minimum", .number(least)) }
  func from(_ least: Int64, to most: Int64) -> Schema { from(least).adding("maximum", .number(most)) }
  /// When nothing is said, it is this.
  func standard(_ value: DocumentValue) -> Schema { adding("default", value) }
  func example(_ value: DocumentValue) -> Schema { adding("examples", .list([value])) }
  /// A regular expression (ECMA-262).
  func matching(_ pattern: String) -> Schema { adding("pattern", .text(pattern)) }
  func saying(_ text: String) -> Schema { replacing("description", with: .text(text)) }

  var document: DocumentValue { .object(keywords) }

  private var isList: Bool { document["type"] == "array" }

  private func adding(_ name: String, _ value: DocumentValue) -> Schema { Schema(keywords + [.init(name, value)]) }

  private func replacing(_ name: String, with value: DocumentValue) -> Schema {
    guard let index = keywords.firstIndex(where: { $0.name == name }) else { return adding(name, value) }
    var copy = self
    copy.keywords[index].value = value
    return copy
  }
}

/// A member of an object.
struct Member: Sendable, Equatable {
  var name: String
  var schema: Schema
  var isRequired: Bool

  /// It is always there.
  static func has(_ name: String, _ schema: Schema, _ about: String? = nil) -> Member {
    Member(name: name, schema: about.map(schema.saying) ?? schema, isRequired: true)
  }

  /// It can be left out.
  static func may(_ name: String, _ schema: Schema, _ about: String? = nil) -> Member {
    Member(name: name, schema: about.map(schema.saying) ?? schema, isRequired: false)
  }
}
