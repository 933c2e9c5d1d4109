extension APIDescription {
  /// One route, described.
  ///
  ///     .get("/api/symbols", "listSymbols", "The builds whose symbols are here.", answers: [.json(.named("Symbols"))])
  ///
  /// Who may use it is not said here: the table of routes says it. What follows from that, and from a body, is not said
  /// either: ``Refusal`` knows.
  struct Operation: Sendable {
    var method: String
    var path: String
    /// By which generated clients call it: `listSessions`. Never changes.
    var name: String
    var summary: String
    var details: String?
    var parameters: [Parameter]
    var body: Body?
    var answers: [Answer]
    /// Beside those that its access and its body bring along.
    var refusals: [Refusal]
    /// Forms that a refusal can have beside the one of all.
    var otherForms: [Answer.Content] = []

    func refusing(also forms: Answer.Content...) -> Operation {
      var copy = self
      copy.otherForms += forms
      return copy
    }

    static func get(
      _ path: String, _ name: String, _ summary: String, _ details: String? = nil, takes parameters: [Parameter] = [],
      answers: [Answer], refuses refusals: [Refusal] = []
    ) -> Operation {
      Operation(
        method: "GET", path: path, name: name, summary: summary, details: details, parameters: parameters,
        answers: answers, refusals: refusals)
    }

    static func head(
      _ path: String, _ name: String, _ summary: String, takes parameters: [Parameter] = [], answers: [Answer],
      refuses refusals: [Refusal] = []
    ) -> Operation {
      Operation(
        method: "HEAD", path: path, name: name, summary: summary, parameters: parameters, answers: answers,
        refusals: refusals)
    }

    static func post(
      _ path: String, _ name: String, _ summary: String, _ details: String? = nil, takes parameters: [Parameter] = [],
      sends body: Body? = nil, answers: [Answer], refuses refusals: [Refusal] = []
    ) -> Operation {
      Operation(
        method: "POST", path: path, name: name, summary: summary, details: details, parameters: parameters, body: body,
        answers: answers, refusals: refusals)
    }

    static func put(
      _ path: String, _ name: String, _ summary: String, _ details: String? = nil, takes parameters: [Parameter] = [],
      sends body: Body, answers: [Answer], refuses refusals: [Refusal] = []
    ) -> Operation {
      Operation(
        method: "PUT", path: path, name: name, summary: summary, details: details, parameters: parameters, body: body,
        answers: answers, refusals: refusals)
    }

    static func delete(
      _ path: String, _ name: String, _ summary: String, _ details: String? = nil, takes parameters: [Parameter] = [],
      answers: [Answer], refuses refusals: [Refusal] = []
    ) -> Operation {
      Operation(
        method: "DELETE", path: path, name: name, summary: summary, details: details, parameters: parameters,
        answers: answers, refusals: refusals)
    }
  }
}

extension APIDescription {
  /// Routes of one subject, and the schemas that are theirs.
  struct Subject: Sendable {
    var name: String
    var about: String
    var operations: [Operation]
    var schemas: [NamedSchema] = []

    struct NamedSchema: Sendable {
      var name: String
      var schema: Shape

      init(_ name: String, _ schema: Shape) {
        self.name = name
        self.schema = schema
      }
    }
  }
}
