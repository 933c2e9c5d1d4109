import ArgumentParser
import Foundation

/// `automobile doctor`: why nothing arrives.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Find out why nothing arrives: address, key, clocks, drops, quarantine, disk.",
    discussion: "With --json, one object: {\"ok\", \"checks\": [{\"name\", \"status\", \"message\", \"advice\"}]}. "
      + "The exit code is 1 when there is a problem, and 0 for warnings.")

  @OptionGroup var collector: ConnectionOptions

  @Option(help: "The collector's data directory, to look at the room on its disk.")
  var data: String?

  func run() async throws {
    let console = Console.standard
    var client = try collector.client()
    client.timeout = .seconds(5)
    var diagnosis = Diagnosis(client: client, data: data.map { URL(filePath: $0) } ?? DataDirectory.standard)
    await diagnosis.run()
    let healthy = !diagnosis.checks.contains { $0.status == .problem }
    if collector.json {
      console.out(JSON.object(["ok": .bool(healthy), "checks": .array(diagnosis.checks.map(\.json))]).line)
    } else {
      for check in diagnosis.checks { show(check, console) }
    }
    if !healthy { throw ExitCode(Failure.Kind.failed.rawValue) }
  }

  private func show(_ check: Check, _ console: Console) {
    let style = console.style
    let mark =
      switch check.status {
      case .ok: style.green("✓")
      case .warning: style.yellow("!")
      case .problem: style.red("✗")
      }
    let name = check.name.padding(toLength: 13, withPad: " ", startingAt: 0)
    console.out("\(mark) \(style.bold(name)) \(check.message)")
    if let advice = check.advice { console.out("  \(String(repeating: " ", count: 14))\(style.dim(advice))") }
  }
}
