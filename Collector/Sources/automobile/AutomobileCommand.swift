import ArgumentParser
import AutoMobileCollector
import Foundation
import Logging

/// `automobile`: the collector, and what one asks it.
@main
struct AutomobileCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "automobile",
    abstract: "A flight recorder for apps: collects what apps record, and shows it.",
    discussion: """
      Exit codes: 0 done · 1 tried and failed (no such session, doctor found a problem, the demo lost an event) · 2 could not \
      be tried (wrong arguments, no collector, no key) · 130 Ctrl-C.

      With --json, standard output holds only JSON: one object, or one object per line for lists. Everything \
      else is written to standard error. Colours appear only on a terminal; NO_COLOR=1 switches them off.
      """,
    version: Collector.version,
    subcommands: [
      ServeCommand.self, DemoCommand.self, ConnectCommand.self, SessionsCommand.self, SearchesCommand.self,
      ShowCommand.self,
      TailCommand.self,
      FetchCommand.self,
      IssuesCommand.self, CrashesCommand.self, NetworkCommand.self, HealthCommand.self, ExportCommand.self,
      ImportCommand.self,
      SymbolsCommand.self,
      SymbolicateCommand.self, ConfigCommand.self, CommandCommand.self, DatabaseCommand.self, DefaultsCommand.self,
      MockCommand.self, AlertsCommand.self, ForwardCommand.self, ProjectsCommand.self,
      KeysCommand.self, SignInCommand.self, AuditCommand.self,
      RetentionCommand.self, EraseCommand.self, RedactCommand.self, BackupCommand.self, RestoreCommand.self,
      StoreCommand.self, SizeCommand.self, RoutesCommand.self,
      MCPCommand.self, DoctorCommand.self,
      DemangleCommand.self,
    ])

  static func main() async {
    // Parts of the collector that a command uses log too.
    LoggingSystem.bootstrap { ConsoleLog(label: $0) }
    var serving: ServeArguments?
    do {
      let arguments = try ServeArguments()
      serving = arguments
      var command = try parseAsRoot(arguments.words)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      Console.standard.note(Console.standard.errorStyle.red("error: ") + failure.description)
      Foundation.exit(failure.kind.rawValue)
    } catch is CancellationError {
      Foundation.exit(130)
    } catch {
      switch exitCode(for: error) {
      case .success: exit(withError: error)
      case .validationFailure:
        let text = UnknownCommand.explained(
          fullMessage(for: error), arguments: Array(CommandLine.arguments.dropFirst()))
        Console.standard.note(serving?.explained(text, message: message(for: error)) ?? text)
        Foundation.exit(Failure.Kind.unavailable.rawValue)
      case let code where error is ExitCode: Foundation.exit(code.rawValue)
      default:
        Console.standard.note(Console.standard.errorStyle.red("error: ") + Printable.text("\(error)"))
        Foundation.exit(Failure.Kind.failed.rawValue)
      }
    }
  }
}
