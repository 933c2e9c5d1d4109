import ArgumentParser
import AutoMobileCollector
import Foundation
import NIOCore

/// `automobile export otlp SESSION`: a session's log records and spans, as OpenTelemetry's tools read them.
struct ExportOTLPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "otlp", abstract: "A session’s logs and spans, in the OpenTelemetry protocol (OTLP).",
    discussion: """
      automobile export otlp latest
      automobile export otlp latest --format protobuf --output /tmp/checkout

      Two files: NAME.logs.jsonl and NAME.traces.jsonl, or with --format protobuf NAME.logs.pb and NAME.traces.pb. A JSON file \
      has one message on each line, as OpenTelemetry’s file exporter writes it; a protobuf file is one LogsData or \
      TracesData message. Requests become client spans.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case json, protobuf }
  enum Signal: String, ExpressibleByArgument, CaseIterable { case logs, traces }

  @Argument(help: "The session’s id, the beginning of it, or “latest”.")
  var session: String

  @Option(help: "json or protobuf.")
  var format = Format.json

  @Option(help: "Only logs, or only traces; without it, both.")
  var signal: Signal?

  @Option(name: [.short, .long], help: "The files’ name without its ending; “-” for standard output, with --signal.")
  var output: String?

  @OptionGroup var collector: ConnectionOptions

  func validate() throws {
    guard output != "-" || signal != nil else {
      throw ValidationError("Standard output takes one of them: choose with --signal logs or --signal traces.")
    }
    guard output != "-" || format == .json else {
      throw ValidationError("Protobuf is binary: name a file with --output.")
    }
  }

  func run() async throws {
    let client = try collector.client()
    let session = try await client.session(named: session)
    let id = session["sessionId"]?.text ?? ""
    let short = ShortName.of(id)
    let bar = ProgressBar(Console.standard, total: session["events"]?.int ?? 0, unit: "events")
    var done = 0
    for signal in signal.map({ [$0] }) ?? Signal.allCases {
      let ending = format == .json ? "jsonl" : "pb"
      let file = try OutputFile(output == "-" ? "-" : "\(output ?? "session-\(short)").\(signal.rawValue).\(ending)")
      let path = "/api/sessions/\(CollectorClient.segment(id))/otlp/\(signal.rawValue)"
      var count = OTLPRecordCount(
        isJSON: format == .json, signal: signal == .logs ? WireCount.Signal.logs : WireCount.Signal.traces)
      try await client.stream(client.request(path, [("format", format.rawValue)])) { piece in
        try file.write(Data(piece.readableBytesView))
        count.add(piece)
        bar.update(done + count.records)
      }
      bar.finish()
      done += count.records
      try file.finish(count.records, signal == .logs ? "log record" : "span", json: collector.json)
    }
  }
}
