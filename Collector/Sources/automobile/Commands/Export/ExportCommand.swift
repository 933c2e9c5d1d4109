import ArgumentParser

/// `automobile export`: what was recorded, in the formats of other tools.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export what was recorded: a session as one file, or in the formats of other tools.",
    subcommands: [
      ExportSessionCommand.self, ExportHARCommand.self, ExportNDJSONCommand.self, ExportOTLPCommand.self,
      ExportTraceCommand.self,
    ])
}

/// `automobile export har [SESSION]`: requests as an HTTP archive.
struct ExportHARCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "har", abstract: "Requests as an HTTP archive (HAR 1.2), for a browser’s developer tools and others.",
    discussion:
      "With bodies, timings, redirects and WebSocket messages, oldest first. Written as it is read, so it can be any size."
  )

  @Argument(help: "Only this session’s: its id, the beginning of it, or “latest”.")
  var session: String?

  @OptionGroup var filter: RequestFilter

  @Option(help: "Maximum number to write.")
  var limit: Int?

  @Option(name: [.short, .long], help: "The file; without it, standard output.")
  var output: String?

  @OptionGroup var source: RequestSourceOptions

  func run() async throws {
    var filter = filter
    filter.session = session ?? filter.session
    let file = try OutputFile(output)
    let count = try await source.open().archive(filter, limit: limit) { try file.write($0) }
    try file.finish(count, "request", json: source.collector.json)
  }
}
