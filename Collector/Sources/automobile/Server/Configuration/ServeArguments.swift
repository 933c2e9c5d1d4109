import Foundation

/// What the program is started with: the words of its command line, for `serve` with those of a configuration file.
///
/// A file becomes words, so that the command's parser is the only one that knows what an option may be.
struct ServeArguments {
  static let variable = "AUTOMOBILE_CONFIG"

  /// Without the program's name.
  let own: [String]
  let file: ServeFile?

  /// - Throws: ``Failure`` when there is a file, and it cannot be used.
  init(
    _ own: [String] = Array(CommandLine.arguments.dropFirst()),
    environment: [String: String] = ProcessInfo.processInfo.environment,
    warn: (String) -> Void = { Console.standard.note(Console.standard.errorStyle.yellow("warning: ") + $0) }
  ) throws {
    self.own = own
    guard own.first == "serve", !own.contains(where: Self.questions.contains) else {
      file = nil
      return
    }
    let variable = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    file = try (Self.path(in: own) ?? variable).map { try ServeFile.read(at: $0, warn: warn) }
  }

  /// Are answered without a look at a file, be it good or not.
  private static let questions: Set = [
    "-h", "--help", "--help-hidden", "--version", "--experimental-dump-help", "--generate-completion-script",
  ]

  /// The last one that is given, as with every option.
  private static func path(in words: [String]) -> String? {
    var path: String?
    for (index, word) in words.enumerated() {
      if word == "--" { break }
      if word.hasPrefix("--config=") { path = String(word.dropFirst("--config=".count)) }
      // Without a value the parser refuses it.
      if word == "--config", index + 1 < words.count, !words[index + 1].hasPrefix("--") { path = words[index + 1] }
    }
    return path
  }

  /// For the parser. What the command line gives is not taken from the file, of an option with several values none.
  var words: [String] {
    guard let file else { return own }
    let given = Set(Self.given(own).map(\.setting.name))
    let added = file.lines.filter { !given.contains($0.setting.name) }.compactMap(\.word)
    return ["serve"] + added + Array(own.dropFirst())
  }

  struct Given: Equatable {
    let setting: ServeSetting
    let value: String
    /// Of the file; nil: it stands on the command line.
    var line: Int?
  }

  /// What was given, and where, in the order of the help.
  var given: [Given] {
    let first = Self.given(own)
    let names = Set(first.map(\.setting.name))
    let rest = (file?.lines ?? []).filter { !names.contains($0.setting.name) }
      .map { Given(setting: $0.setting, value: $0.value, line: $0.number) }
    return ServeSetting.all.flatMap { setting -> [Given] in
      let all = (first + rest).filter { $0.setting == setting }
      return setting.isRepeatable ? all : Array(all.suffix(1))
    }
  }

  private static func given(_ words: [String]) -> [Given] {
    var all: [Given] = []
    var words = words.dropFirst().prefix { $0 != "--" }
    while let word = words.popFirst() {
      guard word.hasPrefix("--") else { continue }
      let option = word.dropFirst(2)
      let name = String(option.prefix { $0 != "=" })
      if let flag = ServeSetting.opposite(of: name) {
        all.append(Given(setting: flag, value: "false"))
      } else if let setting = ServeSetting.named(name) {
        let value = option.firstIndex(of: "=").map { String(option[option.index(after: $0)...]) }
        all.append(Given(setting: setting, value: setting.isFlag ? "true" : value ?? words.popFirst() ?? ""))
      }
    }
    return all
  }

  /// The parser's message, with the lines of the file that hold the options of which it speaks.
  func explained(_ text: String, message: String) -> String {
    guard let file else { return text }
    let options = message.split { !($0.isLetter || $0.isNumber || $0 == "-") }
    let places = given.filter { given in options.contains { $0 == "--\(given.setting.name)" } }
      .compactMap { given in given.line.map { "\(given.setting.name) in line \($0)" } }
    guard !places.isEmpty else { return text }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.insert("In “\(Printable.text(file.path))”: \(places.joined(separator: ", ")).", at: min(1, lines.count))
    return lines.joined(separator: "\n")
  }
}
