import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile symbolicate REPORT`: a report with functions, files and lines.
struct SymbolicateCommand: AsyncParsableCommand {
  enum Form: String, ExpressibleByArgument, CaseIterable { case text, ips, json }

  static let configuration = CommandConfiguration(
    commandName: "symbolicate", abstract: "Show a crash report with functions, files and lines.",
    discussion: """
      REPORT is the number of an event in the collector, or a file: Apple's .ips file, or the JSON of an event. A \
      file needs no collector; give its programs and dSYMs with --symbols.
      """)

  @Argument(help: "An event's number, or a file; “-” is standard input.")
  var report: String

  @Option(help: "A program, debug file, dSYM, or a directory with them; may be given more than once. For files.")
  var symbols: [String] = []

  @Option(help: "Output format: text, ips or json.")
  var format = Form.text

  @OptionGroup var link: LinkOption
  @OptionGroup var collector: ConnectionOptions

  func run() async throws {
    let console = Console.standard
    let form = collector.json ? .json : format
    let isEvent = report != "-" && !FileManager.default.fileExists(atPath: report) && Int64(report) != nil
    guard !link.isOn || isEvent && form != .ips else {
      throw Failure(
        kind: .unavailable, message: "--link goes with an event of a collector, as text or JSON.",
        advice: "The viewer has no page for a file, and Apple's format no place for a link.")
    }
    if report != "-", !FileManager.default.fileExists(atPath: report), let event = Int64(report) {
      return console.write(try await fetch(event, form), as: form == .text ? .text : .json)
    }
    let (text, missing) = try await offline(form)
    for image in missing { console.note("no symbols of \(Printable.text(image))") }
    console.write(text, as: form == .text ? .text : .json)
  }

  private func fetch(_ event: Int64, _ form: Form) async throws -> String {
    guard symbols.isEmpty else {
      throw Failure(
        kind: .unavailable, message: "--symbols is for files.",
        advice: "Give the collector the symbols with: automobile symbols add PATH")
    }
    let client = try collector.client()
    if form == .json || link.isOn {
      let loaded = try await client.get("/api/events/\(event)/report")
      let address = link.isOn ? client.link(loaded, event: "event") : nil
      if form == .json { return (link.isOn ? loaded.adding(viewerUrl: address) : loaded).line + "\n" }
      if let address { Console.standard.out(Console.standard.style.dim(Printable.text(address))) }
    }
    let answer = try await client.raw("/api/events/\(event)/report.\(form == .ips ? "ips" : "txt")")
    guard answer.status == 200 else { throw client.refusal(status: answer.status, body: answer.body) }
    return String(buffer: answer.body)
  }

  private func offline(_ form: Form) async throws -> (text: String, missing: [String]) {
    var (event, context) = try read()
    let directory = FileManager.default.temporaryDirectory.appending(path: "automobile-symbols-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try SymbolStore(directory: directory)
    let files = try SymbolSearch.files(at: symbols)
    for skipped in files.skipped { Console.standard.note(Printable.text("\(skipped.path) \(skipped.reason)")) }
    for file in files.found { _ = try await store.add(file.path, name: file.name, by: .link) }
    let symbolizer = Symbolizer(store: store, tools: .found())
    if let problem = symbolizer.problem { Console.standard.note(problem) }
    event.report = try await symbolizer.symbolicate(event.report)
    symbolizer.stop()
    let missing = symbolizer.missing(event.report).map { "\($0.name) (build \($0.id?.text ?? "unknown"))" }
    switch form {
    case .text: return (TextExport.text(of: event, context), missing)
    case .ips: return (IPSExport.text(of: event, context), missing)
    case .json: return (ReportFile.json(event) + "\n", missing)
    }
  }

  private func read() throws -> (event: EventReport, context: ReportContext) {
    let data =
      report == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: report)
    guard let data else {
      throw Failure(
        kind: .unavailable, message: "No file “\(Printable.text(report))”.",
        advice: "Give a file, or the number of an event: automobile crashes")
    }
    do {
      return try ReportFile.read(data)
    } catch {
      throw Failure(message: "“\(Printable.text(report))” is not a report: \(Printable.text("\(error)"))")
    }
  }
}
