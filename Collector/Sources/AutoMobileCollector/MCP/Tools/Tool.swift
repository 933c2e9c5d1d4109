/// Something that a model can ask for: one narrow question, with arguments that are checked before it is asked.
struct Tool: Sendable {
  let name: String
  let title: String
  /// For the model: what it gets, and when to use this.
  let summary: String
  let arguments: [ToolArgument]
  /// Nothing changes, here or in an app.
  var isReadOnly = true
  /// It asks an app that runs, or changes what apps do.
  var isCommand = false
  let run: @Sendable (ToolCall) async throws -> ToolAnswer

  init(
    _ name: String, title: String, summary: String, arguments: [ToolArgument] = [], isReadOnly: Bool = true,
    isCommand: Bool = false, run: @escaping @Sendable (ToolCall) async throws -> ToolAnswer
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.arguments = arguments
    self.isReadOnly = isReadOnly
    self.isCommand = isCommand
    self.run = run
  }

  /// As `tools/list` has it.
  var definition: JSONTree {
    let required = arguments.filter(\.isRequired).map { JSONTree.string($0.name) }
    var schema: [String: JSONTree] = [
      "type": "object",
      "properties": .object(Dictionary(arguments.map { ($0.name, $0.schema) }, uniquingKeysWith: { $1 })),
      "additionalProperties": false,
    ]
    if !required.isEmpty { schema["required"] = .array(required) }
    return [
      "name": .string(name), "title": .string(title), "description": .string(summary), "inputSchema": .object(schema),
      "annotations": [
        "title": .string(title), "readOnlyHint": .bool(isReadOnly), "destructiveHint": false,
        "idempotentHint": true, "openWorldHint": .bool(isCommand),
      ],
    ]
  }

  /// The answer to a call; what was wrong with it is an answer too, which a model can learn from.
  func answer(_ arguments: JSONTree, _ api: AskedAPI) async -> ToolAnswer {
    do {
      return try await run(ToolCall(arguments: ToolArguments(arguments, of: self), api: api))
    } catch let error as ToolError {
      var answer = ToolAnswer(error.words)
      answer.isError = true
      return answer
    } catch let refusal as AskedAPI.Refusal {
      return refusal.answer
    } catch is CancellationError {
      return ToolError("the call was cancelled").answer
    } catch {
      return ToolError("the collector does not answer: is it running, and is the address right?").answer
    }
  }
}

struct ToolCall: Sendable {
  let arguments: ToolArguments
  let api: AskedAPI
}

/// Why a call cannot be answered as it is, and what to pass instead.
struct ToolError: Error {
  let words: OwnWords

  init(_ words: OwnWords) { self.words = words }

  var answer: ToolAnswer {
    var answer = ToolAnswer(words)
    answer.isError = true
    return answer
  }
}

extension AskedAPI.Refusal {
  /// What the API says may repeat what was recorded, so it stands in a frame.
  var answer: ToolAnswer {
    let advice: OwnWords =
      switch status {
      case 401, 403: "The collector refused (\(status)): the key that this connection presents may not do that."
      case 404: "There is no such thing (404). Look it up with a list: find_sessions, list_requests, list_issues."
      case 429, 503: "The collector is busy, or this asks for too much (\(status)): ask for less, or try again."
      default: "The collector did not take this (\(status)). It says:"
      }
    var answer = ToolAnswer(advice)
    answer.add(message)
    answer.isError = true
    return answer
  }
}
