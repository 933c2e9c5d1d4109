import ArgumentParser
import AutoMobileCollector

/// `automobile symbols list`: the builds that the collector knows.
struct SymbolsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the builds whose symbols the collector has.",
    discussion: "With --json, one build per line.")

  @OptionGroup var collector: ConnectionOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await collector.client().get("/api/symbols")
    let symbols = answer["symbols"]?.array ?? []
    if let problem = answer["problem"]?.string {
      console.note(console.errorStyle.yellow("note: ") + Printable.text(problem))
    }
    if collector.json {
      for entry in symbols { console.out(entry.line) }
      return
    }
    guard !symbols.isEmpty else { return console.note("No symbols yet. Add some with: automobile symbols add PATH") }
    let now = WallClock.now
    var table = Table(columns: [
      .init(title: "BUILD", paint: { $0.cyan($1) }), .init(title: "FILE", minimum: 10),
      .init(title: "ARCH", rank: 3), .init(title: "CONTAINS", rank: 2), .init(title: "SIZE", alignsRight: true),
      .init(title: "ADDED", rank: 1),
    ])
    table.rows = symbols.map { entry in
      [
        String((entry["id"]?.text ?? "").prefix(12)), entry["name"]?.text ?? "", entry["architecture"]?.text ?? "",
        entry["lines"]?.bool == true ? "lines" : "names only", Format.bytes(entry["bytes"]?.int ?? 0),
        Format.ago(entry["added"]?.integer ?? 0, now: now),
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
    console.out(
      console.style.dim("\(Format.plural(symbols.count, "build")), \(Format.bytes(answer["bytes"]?.int ?? 0))"))
  }
}
