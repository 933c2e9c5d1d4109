import ArgumentParser
import Foundation

/// A running debug build whose storage is asked for.
struct StorageConnection {
  var client: CollectorClient
  /// A bundle id, or the beginning of a launch's id.
  var target: String
  /// In seconds.
  var timeout: Double

  init(_ options: ConfigOptions, target: String, timeout: Double) throws {
    client = try options.client()
    client.timeout = .milliseconds(Int64((timeout + 10) * 1000))
    self.target = target
    self.timeout = timeout
  }

  /// What the app answers.
  ///
  /// - Throws: ``Failure``, with what the app said was wrong and what to do.
  func ask(_ command: String, _ arguments: JSON = [:]) async throws -> JSON {
    let answer = try await client.command(
      [
        "command": .string(command), target.contains(".") ? "bundleId" : "launchId": .string(target),
        "arguments": arguments, "timeoutSeconds": .number(timeout),
      ], to: target)
    if let result = answer["answer"]?["result"] { return result }
    let error = answer["answer"]?["error"]
    throw Failure(
      message: Printable.text(error?["message"]?.text ?? "the app answered without a result"),
      advice: Self.advice[error?["code"]?.text ?? ""])
  }

  private static let advice = [
    "is_write": "It changes the app's data: confirm with --write.",
    "unknown_command": "The app was built with an SDK that does not support this. Update it.",
    "not_allowed": "The app decides what it allows: AutoMobileConfiguration.remoteCommands.",
    "switched_off": "Call it in the app, after AutoMobileSDK.shared.initialize.",
    "timeout": "Ask for less, or give it more time with --timeout; at most 30 s.",
  ]
}

/// The options that commands for an app's storage have in common.
struct StorageOptions: ParsableArguments {
  @Option(help: "How long the app may take, in seconds; at most 30.")
  var timeout = 15.0

  @OptionGroup var options: ConfigOptions

  var isJSON: Bool { options.collector.json }

  func validate() throws {
    guard (0.1...30).contains(timeout) else { throw ValidationError("--timeout must be from 0.1 to 30.") }
  }

  func connection(to target: String) throws -> StorageConnection {
    try StorageConnection(options, target: target, timeout: timeout)
  }
}
