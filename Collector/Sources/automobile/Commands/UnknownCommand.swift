import ArgumentParser

/// What is said when somebody types a command that there is not.
enum UnknownCommand {
  /// The parser's message, with what may have been meant in its first line.
  ///
  /// - Parameter arguments: without the program's name.
  static func explained(_ message: String, arguments: [String]) -> String {
    guard let (word, near) = suggestion(arguments) else { return message }
    let isRoot = word == arguments.first
    // Below the first level a word can be an argument of the command that runs without one.
    guard isRoot || message.contains("nexpected argument") else { return message }
    guard isRoot || near != nil else { return message }
    let rest = message.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let said = "Error: Unknown command “\(Printable.text(word))”."
    return ([said + (near.map { " Did you mean “\(Printable.text($0))”?" } ?? "")] + rest.map(String.init))
      .joined(separator: "\n")
  }

  /// The first word that should be a command and is none, and the nearest that is.
  private static func suggestion(_ arguments: [String]) -> (word: String, near: String?)? {
    var command: any ParsableCommand.Type = AutomobileCommand.self
    for argument in arguments {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
      if let found = commands.first(where: { $0.configuration.commandName == argument }) {
        command = found
        continue
      }
      let shown = commands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
      let other = command == AutomobileCommand.self ? otherNames[argument.lowercased()] : nil
      return (argument, other ?? Suggestion.nearest(to: argument, among: shown))
    }
    return nil
  }

  /// What other tools call it.
  private static let otherNames = [
    "start": "serve", "run": "serve", "server": "serve", "list": "sessions", "ls": "sessions", "events": "show",
    "logs": "tail", "log": "tail", "watch": "tail", "follow": "tail", "requests": "network", "http": "network",
    "har": "export har", "login": "connect", "errors": "issues", "hangs": "issues", "sql": "db", "database": "db",
    "userdefaults": "defaults", "preferences": "defaults", "dsym": "symbols", "upload": "symbols add",
  ]
}
