/// One argument of a tool: what may be passed, said to the model as a schema and checked by the same words.
struct ToolArgument: Sendable {
  enum Kind: Sendable {
    /// With at most so many bytes.
    case text(Int)
    case number(ClosedRange<Int64>)
    case flag
    case choice([String])
    /// Several of them.
    case choices([String])
    /// A time.
    case moment
  }

  let name: String
  let kind: Kind
  let summary: String
  var isRequired = false

  init(_ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.isRequired = isRequired
  }

  var schema: JSONTree {
    var schema: [String: JSONTree] = ["description": .string(summary)]
    switch kind {
    case .text(let most):
      schema["type"] = "string"
      schema["maxLength"] = .integer(Int64(most))
    case .number(let range):
      schema["type"] = "integer"
      schema["minimum"] = .integer(range.lowerBound)
      schema["maximum"] = .integer(range.upperBound)
    case .flag: schema["type"] = "boolean"
    case .choice(let values):
      schema["type"] = "string"
      schema["enum"] = .array(values.map { .string($0) })
    case .choices(let values):
      schema["type"] = "array"
      schema["items"] = ["type": "string", "enum": .array(values.map { .string($0) })]
      schema["maxItems"] = .integer(Int64(values.count))
    case .moment: schema["type"] = ["string", "integer"]
    }
    return .object(schema)
  }

  /// What has to be passed, in words. The names and values here are ours.
  var expected: String {
    switch kind {
    case .text(let most): "a string of 1 to \(most) bytes"
    case .number(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .choice(let values): "one of \(values.joined(separator: ", "))"
    case .choices(let values): "an array of: \(values.joined(separator: ", "))"
    case .moment: "a time such as 2026-11-24T13:55:19Z, or milliseconds since 1970"
    }
  }

  func takes(_ value: JSONTree) -> Bool {
    switch (kind, value) {
    case (.text(let most), .string(let text)): (1...most).contains(text.utf8.count) && !text.utf8.contains(0)
    case (.number(let range), .integer(let number)): range.contains(number)
    case (.flag, .bool): true
    case (.choice(let values), .string(let text)): values.contains(text)
    case (.choices(let values), .array(let elements)):
      elements.count <= values.count && elements.allSatisfy { $0.string.map(values.contains) ?? false }
    case (.moment, .string(let text)): MomentText.milliseconds(text) != nil
    case (.moment, .integer(let number)): (0...ReplayTimes.most).contains(number)
    default: false
    }
  }
}

extension ToolArgument {
  static let session = ToolArgument(
    "session", .text(400), "Id of the session, as find_sessions lists it", isRequired: true)
  static let cursor = ToolArgument("cursor", .text(60), "Where the answer before said that it goes on")

  static func limit(_ standard: Int, most: Int64 = 100) -> ToolArgument {
    ToolArgument("limit", .number(1...most), "How many at once; \(standard) without it. More of them are shorter")
  }

  static func query(_ example: String) -> ToolArgument {
    ToolArgument(
      "query", .text(1000),
      "Search: words, or fields such as \(example). Words and fields are joined by AND; OR, NOT and (…) are known")
  }

  static let app = ToolArgument("app", .text(200), "Bundle id of the app, as list_apps has it")
  static let event = ToolArgument("event", .number(0...Int64.max), "Number of the event, as lists have it: #123 is 123")
}

/// The arguments of a call, checked.
struct ToolArguments: Sendable {
  private let values: [String: JSONTree]

  /// - Throws: ``ToolError`` that says what to pass instead.
  init(_ tree: JSONTree, of tool: Tool) throws {
    guard case .object(let members) = tree else { throw ToolError("arguments must be an object") }
    // Null says that there is none.
    let values = members.filter { !$0.value.isNull }
    let known = tool.arguments.map(\.name)
    guard values.keys.allSatisfy(known.contains) else {
      throw ToolError(Self.ours("an argument is not known here; there is: \(known.joined(separator: ", "))"))
    }
    for argument in tool.arguments {
      guard let value = values[argument.name] else {
        guard argument.isRequired else { continue }
        throw ToolError(Self.ours("\(argument.name) is missing: pass \(argument.expected). \(argument.summary)"))
      }
      guard argument.takes(value) else {
        throw ToolError(Self.ours("\(argument.name) must be \(argument.expected)"))
      }
    }
    self.values = values
  }

  /// Made of the tool's definition, which is ours.
  private static func ours(_ text: String) -> OwnWords { OwnWords(stringLiteral: text) }

  subscript(name: String) -> String? { values[name]?.words }
  func flag(_ name: String) -> Bool { values[name]?.bool ?? false }
  func number(_ name: String) -> Int64? { values[name]?.integer }
  func strings(_ name: String) -> [String] { values[name]?.elements.compactMap(\.string) ?? [] }
  func moment(_ name: String) -> Int64? { values[name]?.words.flatMap(MomentText.milliseconds) }

  /// Of an argument that is required, and so is there.
  func text(_ name: String) -> String { values[name]?.words ?? "" }
  func limit(_ standard: Int) -> Int { number("limit").flatMap(Int.init(exactly:)) ?? standard }

  /// A time as the API takes it.
  func time(_ name: String) -> String? { moment(name).map(String.init) }
}
