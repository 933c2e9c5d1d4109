import ArgumentParser
import Foundation

/// `automobile export ndjson [SESSION]`: events as JSON, one a line.
struct ExportNDJSONCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ndjson", abstract: "Events as JSON, one per line, as the collector holds them.",
    discussion: "The events of one session are written oldest first, those of all sessions newest first.")

  @Argument(help: "Only this session’s: its id, the beginning of it, or “latest”.")
  var session: String?

  @OptionGroup var filter: EventFilter

  @Option(help: "Maximum number to write.")
  var limit: Int?

  @Option(name: [.short, .long], help: "The file; without it, standard output.")
  var output: String?

  @OptionGroup var collector: ConnectionOptions

  func validate() throws {
    guard limit.map({ $0 > 0 }) ?? true else { throw ValidationError("--limit must be at least 1.") }
  }

  func run() async throws {
    let client = try collector.client()
    var path = "/api/events"
    var cursorName = "before"
    if let session {
      let id = try await client.session(named: session)["sessionId"]?.text ?? ""
      path = "/api/sessions/\(CollectorClient.segment(id))/events"
      cursorName = "after"
    }
    filter.doubt(.standard)
    let file = try OutputFile(output)
    var left = limit ?? .max
    var count = 0
    var cursor: String?
    repeat {
      let page = try await client.get(
        path, [(cursorName, cursor), ("limit", String(min(500, left)))] + filter.query)
      let events = page["events"]?.array ?? []
      if !events.isEmpty { try file.write(Data(events.map { $0.line + "\n" }.joined().utf8)) }
      left -= events.count
      count += events.count
      cursor = page["next"]?.string
    } while cursor != nil && left > 0
    try file.finish(count, "event", json: collector.json)
  }
}
