import ArgumentParser

/// `automobile import FILE`: takes a session in that was written as a file.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take in a session that was exported as a file.",
    discussion: "What is in the collector already stays as it is: a file may be taken in again.")

  @Argument(help: "The file, as “automobile export session” wrote it.")
  var file: String

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let answer = try await options.client().upload(file, to: "/api/import", name: "session")
    if options.collector.json { return Console.standard.out(answer.line) }
    let session = answer["sessionId"]?.text ?? ""
    let events = answer["events"]?.int ?? 0
    let segments = answer["segments"]?.int ?? 0
    Console.standard.out(
      "Session \(Printable.text(session)): \(Format.plural(events, "event")) and \(Format.plural(segments, "new part")) of its replay."
    )
  }
}
