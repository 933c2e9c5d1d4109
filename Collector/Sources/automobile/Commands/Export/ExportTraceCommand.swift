import ArgumentParser
import AutoMobileCollector
import Foundation
import NIOCore

/// `automobile export trace SESSION`: a session as a Chrome trace.
struct ExportTraceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "A session as a Chrome trace, for Perfetto and others.",
    discussion: """
      automobile export trace latest
      automobile export trace latest --output - | gzip > checkout.trace.json.gz

      The file is in the Trace Event Format. Open it on ui.perfetto.dev, which keeps it on this machine, or in chrome://tracing: \
      screens, requests, spans, hangs with their stacks, late frames, logs and everything else that happened, each launch as a process.
      """)

  @Argument(help: "The session’s id, the beginning of it, or “latest”.")
  var session: String

  @Option(name: [.short, .long], help: "The file; “-” for standard output. Without it, one named after the session.")
  var output: String?

  @OptionGroup var collector: ConnectionOptions

  func run() async throws {
    let client = try collector.client()
    let session = try await client.session(named: session)
    let id = session["sessionId"]?.text ?? ""
    let short = ShortName.of(id)
    let bar = ProgressBar(Console.standard, total: session["events"]?.int ?? 0, unit: "events")
    let file = try OutputFile(output ?? "session-\(short).trace.json")
    var count = TraceCount()
    try await client.stream(client.request("/api/sessions/\(CollectorClient.segment(id))/trace", [])) { piece in
      try file.write(Data(piece.readableBytesView))
      count.add(piece)
      bar.update(count.events)
    }
    bar.finish()
    guard count.isWhole else {
      throw Failure(kind: .unavailable, message: "The Chrome trace ended too early: run the command again.")
    }
    try file.finish(count.events, "event", json: collector.json)
  }
}
