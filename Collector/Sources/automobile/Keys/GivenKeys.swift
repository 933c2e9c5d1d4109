import Foundation
import NIOConcurrencyHelpers

/// Keys as a command is given them: in files, in the environment, or, with a warning, as arguments.
///
/// An argument stands in the process list, where every user of the machine reads it for as long as the process runs,
/// and in the shell's history.
struct GivenKeys {
  /// The option for files, as it is written.
  var fileOption: String
  var files: [String]
  /// Environment variables, in which several keys are separated by blanks.
  var variables: [String]
  /// The option for keys themselves, as it is written.
  var option: String
  var arguments: [String]

  /// All of them, those of the files first.
  ///
  /// - Throws: ``Failure`` when a file cannot be used.
  func all(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> [String] {
    var keys: [String] = []
    for file in files { keys += try KeyFile.keys(at: file, warn: Self.warn) }
    for variable in variables {
      keys += (environment[variable] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    }
    if isInProcessList {
      let instead = ([fileOption] + variables.suffix(1)).joined(separator: " or ")
      Self.warn("\(option) is visible to all users in the process list: use \(instead).")
    }
    return keys + arguments.filter { !$0.isEmpty }
  }

  /// Keys of a configuration file are arguments to the parser, and to nobody else.
  private var isInProcessList: Bool {
    !arguments.isEmpty && CommandLine.arguments.contains { $0 == option || $0.hasPrefix(option + "=") }
  }

  private static let said = NIOLockedValueBox<Set<String>>([])

  /// Once, however often a command asks.
  private static func warn(_ text: String) {
    guard said.withLockedValue({ $0.insert(text).inserted }) else { return }
    Console.standard.note(Console.standard.errorStyle.yellow("warning: ") + text)
  }
}
