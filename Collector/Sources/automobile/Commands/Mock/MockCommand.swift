import ArgumentParser
import Foundation

/// `automobile mock …`: answers that debug builds of an app make up themselves.
struct MockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mock", abstract: "Mock responses in debug builds of an app.",
    discussion: """
      automobile mock add com.example.app --method POST --path '/orders/*' --status 409 --body '{"error":"sold out"}'
      automobile mock add com.example.app --host 'api.*' --failure timedOut --count 3
      automobile mock list com.example.app

      Rules are part of the app's configuration (section “mocks”). The first match answers; recordings show which one. \
      Release builds ignore them.
      """,
    subcommands: [MockAddCommand.self, MockListCommand.self, MockRemoveCommand.self, MockClearCommand.self],
    defaultSubcommand: MockListCommand.self)
}

/// The rules in a configuration document.
struct MockList {
  static let section = "mocks"
  var rules: [JSON]

  /// - Throws: ``Failure`` when the section holds something else.
  init(_ sections: JSON) throws {
    guard let section = sections[Self.section] else {
      rules = []
      return
    }
    guard let rules = section.array else { throw Failure(message: "“mocks” in the document is not an array of rules.") }
    self.rules = rules
  }

  /// An empty list is no section at all.
  func write(to sections: inout JSON) throws {
    // Not a literal nil: that is also JSON's null.
    try sections.set([Self.section], rules.isEmpty ? Optional.none : .array(rules))
  }

  mutating func put(_ rule: JSON) {
    if let index = rules.firstIndex(where: { $0["id"] == rule["id"] }) {
      rules[index] = rule
    } else {
      rules.append(rule)
    }
  }

  func index(of id: String) -> Int? { rules.firstIndex { $0["id"]?.text == id } }
}

extension JSON {
  /// A rule in words: `POST api.example.com/orders/* → 409 (after 200 ms, 3 times)`
  var mockRuleText: String {
    let match = self["match"]
    let path = match?["path"]?["regex"].map { "/\($0.text)/" } ?? match?["path"]?.text
    var conditions = (match?["headers"]?.object ?? [:]).sorted { $0.key < $1.key }.map { "\($0): \($1.text)" }
    if let text = match?["bodyContains"]?.text { conditions.append("body has “\(text)”") }
    let place = (match?["host"]?.text ?? "*") + (path.map { $0.hasPrefix("/") ? $0 : " " + $0 } ?? "")
    let asked = ([match?["method"]?.text ?? "any", place] + conditions).joined(separator: " ")
    let respond = self["respond"]
    let answer =
      respond?["passthrough"]?.bool == true
      ? "the network" : respond?["failure"]?.text ?? respond?["status"]?.text ?? "nothing"
    var notes: [String] = []
    if let delay = respond?["delayMs"]?.integer, delay > 0 { notes.append("after \(delay) ms") }
    if let count = self["count"]?.integer { notes.append(count == 1 ? "once" : "\(count) times") }
    if let end = self["expiresAt"]?.integer { notes.append("until \(Format.time(end, fraction: false))") }
    return asked + " → " + answer + (notes.isEmpty ? "" : " (" + notes.joined(separator: ", ") + ")")
  }
}
