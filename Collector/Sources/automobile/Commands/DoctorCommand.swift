import ArgumentParser
import Foundation

/// `automobile doctor`: why nothing arrives.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Run diagnostics: address, key, clocks, drops, quarantine, disk.",
    discussion: "With --json, one object: {\"ok\", \"checks\": [{\"name\", \"status\", \"message\", \"advice\"}]}; "
      + "a status is ok, empty (nothing to check yet), warning or problem. "
      + "The exit code is 1 when there is a problem, and 0 for warnings.")

  @OptionGroup var collector: ConnectionOptions

  @Option(help: "The collector's data directory, to check its free disk space.")
  var data: String?

  func run() async throws {
    let console = Console.standard
    let checks = await checks()
    let healthy = !checks.contains { $0.status == .problem }
    if collector.json {
      console.out(JSON.object(["ok": .bool(healthy), "checks": .array(checks.map(\.json))]).line)
    } else {
      for check in checks { show(check, console) }
    }
    if !healthy { throw ExitCode(Failure.Kind.failed.rawValue) }
  }

  private func checks() async -> [Check] {
    do {
      let directory = data.map { URL(filePath: $0) } ?? DataDirectory.standard
      var diagnosis = Diagnosis(connection: try collector.connection(), data: directory)
      await diagnosis.run()
      return diagnosis.checks
    } catch {
      let failure = error as? Failure
      return [.problem("settings", failure?.message ?? "\(error)", failure?.advice ?? "See: automobile connect")]
    }
  }

  private func show(_ check: Check, _ console: Console) {
    let style = console.style
    let mark =
      switch check.status {
      case .ok: style.green("✓")
      case .empty: style.dim("–")
      case .warning: style.yellow("!")
      case .problem: style.red("✗")
      }
    let name = check.name.padding(toLength: 13, withPad: " ", startingAt: 0)
    console.out("\(mark) \(style.bold(name)) \(check.message)")
    for line in (check.advice ?? "").split(separator: "\n", omittingEmptySubsequences: false) where !line.isEmpty {
      console.out("  \(String(repeating: " ", count: 14))\(style.dim(String(line)))")
    }
  }
}
