import ArgumentParser
import Foundation

/// `automobile redact …`: what is taken out of what apps send, before anything of it is written.
struct RedactCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redact",
    abstract: "Show and change what the collector removes from what apps send, before it is written.",
    discussion: """
      automobile redact add --pattern email --project com.example.shop
      automobile redact add --field password
      automobile redact test "mail to mira@example.com" --pattern email

      Patterns: email, card, token, iban, ip, phone. A field is a member of JSON, a header or a parameter; its whole value goes. \
      It needs an operator key.
      """,
    subcommands: [RedactListCommand.self, RedactAddCommand.self, RedactRemoveCommand.self, RedactTestCommand.self],
    defaultSubcommand: RedactListCommand.self)
}

struct RedactListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the rules, and how often each was used.")

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await options.client().get("/api/redactions")
    if options.collector.json { return console.out(answer.line) }
    guard let rules = answer["rules"]?.array, !rules.isEmpty else {
      return console.note("Nothing is redacted. Add a rule with: automobile redact add --pattern email")
    }
    var table = Table(columns: [
      .init(title: "ID"), .init(title: "PROJECT", minimum: 10), .init(title: "KIND"),
      .init(title: "VALUE", minimum: 10),
      .init(title: "REDACTED"), .init(title: "BY", rank: 2),
    ])
    table.rows = rules.map { rule in
      [
        String(rule["id"]?.int ?? 0), rule["project"]?.string ?? "all", rule["kind"]?.text ?? "",
        rule["value"]?.text ?? "",
        String(rule["redacted"]?.int ?? 0), rule["createdBy"]?.text ?? "",
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}

/// A pattern or a field.
struct RedactionOptions: ParsableArguments {
  @Option(help: "What is recognised anywhere: email, card, token, iban, ip or phone.")
  var pattern: [String] = []

  @Option(help: "A member of JSON, a header or a parameter.")
  var field: [String] = []

  @Option(help: "The bundle id of the project. (default: all)")
  var project: String?

  static let patterns = ["email", "card", "token", "iban", "ip", "phone"]

  func validate() throws {
    for name in pattern where !Self.patterns.contains(name) {
      throw ValidationError("--pattern must be one of \(Self.patterns.joined(separator: ", ")).")
    }
  }

  var projectJSON: JSON { project.map { .string($0) } ?? .null }
}

struct RedactAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add rules: they hold for what comes from now on.")

  @OptionGroup var rules: RedactionOptions

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard !(rules.pattern + rules.field).isEmpty else { throw ValidationError("Give a --pattern or a --field.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    for (kind, name) in rules.pattern.map({ ("pattern", $0) }) + rules.field.map({ ("field", $0) }) {
      let answer = try await client.send(
        .POST, "/api/redactions", ["project": rules.projectJSON, kind: .string(name)])
      if options.collector.json {
        console.out(answer.line)
      } else {
        console.out("Rule \(answer["id"]?.int ?? 0) redacts the \(kind) \(Printable.text(name)).")
      }
    }
  }
}

struct RedactRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a rule, by its number in the list.")

  @Argument(help: "The rule's number.")
  var id: Int

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await options.client().send(.DELETE, "/api/redactions/\(id)", [:])
    console.out(options.collector.json ? answer.line : "Removed rule \(id).")
  }
}

struct RedactTestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Show what the rules make of a text or JSON.",
    discussion: "With --pattern and --field, as if these were rules as well. Nothing is kept.")

  @Argument(help: "The text; “-” reads it from standard input.")
  var text: String

  @OptionGroup var rules: RedactionOptions

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let text = text == "-" ? String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self) : text
    let answer = try await options.client().send(
      .POST, "/api/redactions/test",
      [
        "text": .string(text), "project": rules.projectJSON, "patterns": .array(rules.pattern.map { .string($0) }),
        "fields": .array(rules.field.map { .string($0) }),
      ])
    if options.collector.json { return console.out(answer.line) }
    console.out(Printable.text(answer["text"]?.text ?? ""))
    console.note("\(Format.plural(answer["redacted"]?.int ?? 0, "place")) redacted.")
  }
}
