import ArgumentParser
import Foundation
import NIOCore

/// `automobile command NAME BUNDLE`: has a running debug build do something.
struct CommandCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "command", abstract: "Send a command to a running debug build, and print its answer.",
    discussion: """
      automobile command                                   which apps listen, and their commands
      automobile command ping com.example.app
      automobile command diagnostics com.example.app --json

      Arguments are given as NAME=VALUE, where a value is JSON, or otherwise text. Every app knows ping, diagnostics and flush. \
      With --json: {"launchId", "bundleId", "milliseconds", "answer": {"ok", "result" or "error"}}.
      """)

  @Argument(help: "The command's name.")
  var name: String?

  @Argument(help: "The app's bundle id, or the beginning of a launch's id.")
  var target: String?

  @Argument(help: "The command's arguments: NAME=VALUE.")
  var arguments: [String] = []

  @Option(help: "How long the app may take, in seconds; at most 30.")
  var timeout = 10.0

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard name == nil || target != nil else { throw ValidationError("Say which app: a bundle id or a launch id.") }
    guard (0.1...30).contains(timeout) else { throw ValidationError("--timeout must be from 0.1 to 30.") }
    for argument in arguments where !argument.dropFirst().contains("=") {
      throw ValidationError("“\(Printable.text(argument))” is not NAME=VALUE.")
    }
  }

  func run() async throws {
    let console = Console.standard
    var client = try options.client()
    client.timeout = .milliseconds(Int64((timeout + 10) * 1000))
    let listeners = try await client.get("/api/commands")["listeners"]?.array ?? []
    guard let name, let target else { return list(listeners, console) }
    var values: JSON = [:]
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      try values.set([parts[0]], (try? JSON(text: parts[1])) ?? .string(parts[1]))
    }
    // Launch ids are not needed in full; a bundle id that is meant is named in full.
    let isBundle = listeners.contains { $0["bundleId"]?.string == target } || target.contains(".")
    let answer = try await client.command(
      [
        "command": .string(name), isBundle ? "bundleId" : "launchId": .string(target), "arguments": values,
        "timeoutSeconds": .number(timeout),
      ], to: target)
    show(answer, console)
    guard answer["answer"]?["ok"]?.bool == true else { throw ExitCode(Failure.Kind.failed.rawValue) }
  }

  private func list(_ listeners: [JSON], _ console: Console) {
    if options.collector.json {
      for listener in listeners { console.out(listener.line) }
      return
    }
    guard !listeners.isEmpty else {
      return console.note("No app is listening. Debug builds do, while they run and deliver to this collector.")
    }
    var table = Table(columns: [
      .init(title: "APP", minimum: 12, paint: { $0.cyan($1) }), .init(title: "LAUNCH"),
      .init(title: "COMMANDS", minimum: 20),
    ])
    table.rows = listeners.map { listener in
      [
        listener["bundleId"]?.text ?? "–", String((listener["launchId"]?.text ?? "").prefix(8)),
        (listener["commands"]?.array ?? []).map(\.text).joined(separator: " "),
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }

  private func show(_ answer: JSON, _ console: Console) {
    if options.collector.json { return console.out(answer.line) }
    let style = console.style
    if let error = answer["answer"]?["error"] {
      let message = Printable.text(error["message"]?.text ?? error.line)
      console.note("\(console.errorStyle.red("✗")) \(message)")
      return
    }
    let launch = String((answer["launchId"]?.text ?? "").prefix(8))
    let facts = "launch \(launch) · \(Format.plural(answer["milliseconds"]?.int ?? 0, "ms", "ms"))"
    console.out("\(style.green("✓")) \(style.bold(Printable.text(name ?? ""))) \(style.dim(Printable.text(facts)))")
    let members = (answer["answer"]?["result"] ?? [:]).flattened()
    let width = members.map { DisplayWidth.of($0.path) }.max() ?? 0
    for (path, value) in members {
      let padding = String(repeating: " ", count: max(0, width - DisplayWidth.of(path)))
      console.out("  \(style.cyan(Printable.text(path)))\(padding)  \(Printable.text(value.text))")
    }
  }
}
