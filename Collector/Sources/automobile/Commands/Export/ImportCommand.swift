import ArgumentParser

/// `automobile import FILE`: takes a session in that was written as a file.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import a session from a file.",
    discussion: "Existing data is left unchanged: a file may be imported again.")

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
      "Imported session \(Printable.text(session)): \(Format.plural(events, "event")), \(Format.plural(segments, "new replay segment"))"
    )
  }
}
