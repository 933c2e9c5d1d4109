import ArgumentParser
import Foundation

/// `automobile defaults APP …`: the preferences of a running debug build.
struct DefaultsCommand: AsyncParsableCommand {
  enum Verb: String, CaseIterable, ExpressibleByArgument {
    case suites, list, get, set, remove, clear
  }

  enum ValueType: String, CaseIterable, ExpressibleByArgument {
    case string, int, double, bool, data, date, array, dictionary
  }

  static let configuration = CommandConfiguration(
    commandName: "defaults", abstract: "Show or change the preferences (UserDefaults) of a running debug build.",
    discussion: """
      automobile defaults com.example.app                                  what is stored
      automobile defaults com.example.app suites
      automobile defaults com.example.app get onboarding.done
      automobile defaults com.example.app set onboarding.done false
      automobile defaults com.example.app set favourites '["latte"]' --type array --suite group.example
      automobile defaults com.example.app remove onboarding.done
      automobile defaults com.example.app clear --yes

      The app allows it by UserDefaultsInspector.shared.setEnabled(true). Data is base64, dates are ISO 8601, arrays and \
      dictionaries are JSON. Values whose names suggest a secret are not shown. With --json: the app's answer.
      """)

  @Argument(help: "The app's bundle id, or the beginning of a launch's id.")
  var app: String

  @Argument(help: "What to do.")
  var verb = Verb.list

  @Argument(help: "A key, and for “set” a value.")
  var arguments: [String] = []

  @Option(help: "The suite; without it, the standard one.")
  var suite: String?

  @Option(help: "The value's type; without it, that of the value that is there, or string.")
  var type: ValueType?

  @Flag(help: "Also list the system's values.")
  var system = false

  @Option(help: "Values to skip.")
  var offset = 0

  @Flag(help: "Skip confirmation.")
  var yes = false

  @OptionGroup var storage: StorageOptions

  private static let wanted: [Verb: [String]] = [
    .get: ["a key"], .set: ["a key", "a value"], .remove: ["a key"],
  ]

  func validate() throws {
    let wanted = Self.wanted[verb] ?? []
    guard arguments.count == wanted.count else {
      let needs = wanted.isEmpty ? "no more arguments" : wanted.joined(separator: " and ")
      throw ValidationError("“\(verb.rawValue)” needs \(needs); see --help.")
    }
    guard offset >= 0 else { throw ValidationError("--offset must be at least 0.") }
    guard verb != .clear || yes else {
      throw ValidationError("This removes everything the app stored in the suite. Confirm with --yes.")
    }
  }

  func run() async throws {
    let console = Console.standard
    let app = try storage.connection(to: app)
    let place: JSON = suite.map { ["suite": .string($0)] } ?? [:]
    let entry = arguments.first.map { place.adding("key", .string($0)) } ?? place
    let answer: JSON
    switch verb {
    case .suites: answer = try await app.ask("defaults.suites")
    case .list:
      answer = try await app.ask("defaults.list", place.adding("system", .bool(system)).adding("offset", JSON(offset)))
    case .get: answer = try await app.ask("defaults.get", entry)
    case .set:
      let type = try await typeOfValue(app, entry)
      answer = try await app.ask(
        "defaults.set", entry.adding("type", .string(type)).adding("value", JSON(arguments.last)))
    case .remove: answer = try await app.ask("defaults.remove", entry)
    case .clear: answer = try await app.ask("defaults.clear", place)
    }
    if storage.isJSON { return console.out(answer.line) }
    switch verb {
    case .suites: showSuites(answer, console)
    case .list: showList(answer, console)
    case .get: console.out(Printable.text(answer["value"]?.text ?? ""))
    case .set: console.out("\(console.style.green("✓")) \(entryText(answer))")
    case .remove: console.out(answer["removed"]?.bool == true ? "✓ removed" : "No value for this key.")
    case .clear: console.out("✓ \(Format.plural(answer["removed"]?.int ?? 0, "value")) removed")
    }
  }

  /// A value that is there keeps its type.
  private func typeOfValue(_ app: StorageConnection, _ entry: JSON) async throws -> String {
    if let type { return type.rawValue }
    let known = (try? await app.ask("defaults.get", entry))?["type"]?.string
    return known.flatMap(ValueType.init(rawValue:))?.rawValue ?? ValueType.string.rawValue
  }

  private func showSuites(_ answer: JSON, _ console: Console) {
    var table = Table(columns: [
      .init(title: "SUITE", minimum: 12, paint: { $0.cyan($1) }), .init(title: "VALUES", alignsRight: true),
    ])
    table.rows = (answer["suites"]?.array ?? []).map { suite in
      [Printable.text(suite["name"]?.text ?? "(standard)"), Format.count(suite["entryCount"]?.int ?? 0)]
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }

  private func showList(_ answer: JSON, _ console: Console) {
    let entries = answer["entries"]?.array ?? []
    guard !entries.isEmpty else { return console.note("Nothing is stored in this suite.") }
    var table = Table(columns: [
      .init(title: "KEY", minimum: 12, paint: { $0.cyan($1) }), .init(title: "TYPE", rank: 1, paint: { $0.dim($1) }),
      .init(title: "VALUE", minimum: 16),
    ])
    table.rows = entries.map { entry in
      [entry["key"]?.text ?? "", entry["type"]?.text ?? "", entry["value"]?.text ?? ""].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
    let next = offset + entries.count
    let total = answer["total"]?.int ?? next
    if next < total { console.note("\(Format.count(total - next)) more: --offset \(next)") }
  }

  private func entryText(_ entry: JSON) -> String {
    Printable.text("\(entry["key"]?.text ?? "") = \(entry["value"]?.text ?? "") (\(entry["type"]?.text ?? ""))")
  }
}
