import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile export session SESSION`: a session with its replay as one file.
struct ExportSessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "A session with its replay as one file, for another collector.",
    discussion: """
      automobile export session latest
      automobile import session-0F3A.automobile --url http://other-machine:8765

      The file holds everything that was recorded: whoever has it sees what you see. It can also be dropped onto the list of \
      sessions in the viewer.
      """)

  @Argument(help: "The session’s id, the beginning of it, or “latest”.")
  var session: String

  @Option(name: [.short, .long], help: "The file; without it, one named after the session.")
  var output: String?

  @OptionGroup var collector: ConnectionOptions

  func run() async throws {
    let client = try collector.client()
    let id = try await client.session(named: session)["sessionId"]?.text ?? ""
    let short = ShortName.of(id)
    let name = output ?? "session-\(short).automobile"
    guard name != "-" else { throw ValidationError("The file is binary: name one with --output.") }
    let file = try OutputFile(name)
    try await client.stream(client.request("/api/sessions/\(CollectorClient.segment(id))/file", [])) { piece in
      try file.write(Data(piece.readableBytesView))
    }
    try file.finish(nil, "session", json: collector.json)
  }
}
