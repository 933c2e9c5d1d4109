import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile mcp`: what apps recorded, for agents, over standard input and output.
struct MCPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Let a coding agent read recordings (Model Context Protocol).",
    discussion: """
      claude mcp add automobile -- automobile mcp                         of the collector that commands ask
      automobile mcp --url https://collector.example.com --key-file key   of this one
      automobile mcp --data DIR                                           of a data directory, without a collector

      It reads requests from standard input and writes answers to standard output, one on each line; agents start it \
      themselves. A collector that runs answers at /mcp, too.
      """)

  @Option(help: "Read this data directory itself, read-only: beside a running collector, or where none runs.")
  var data: String?

  @Flag(help: "Offer tools that reach into running debug builds: databases, preferences, mock rules.")
  var commands = false

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard data == nil || (options.collector.url == nil && !commands) else {
      throw ValidationError("--data reads files: --url and --commands are for a collector that runs.")
    }
  }

  func run() async throws {
    if isatty(STDIN_FILENO) == 1 {
      Console.standard.note(
        "Waiting for an agent’s messages. Agents start this themselves: see --help. Ctrl-C to stop.")
    }
    guard let data else {
      let client = try options.client()
      let server = MCPServer(
        questions: client, viewer: ViewerAddress(client.url.absoluteString), hasCommands: commands)
      return await MessageStream(server: server).serve()
    }
    let recorded: RecordedData
    do {
      recorded = try RecordedData(URL(filePath: data), logger: CollectorServer.logger(level: .warning))
    } catch let error as CollectorError {
      throw Failure(kind: .unavailable, message: "\(error)")
    } catch {
      throw Failure(kind: .unavailable, message: "The data in \(Printable.text(data)) cannot be read: \(error)")
    }
    defer { recorded.close() }
    await MessageStream(
      server: MCPServer(questions: recorded.questions, viewer: nil, hasCommands: false)
    ).serve()
  }
}
