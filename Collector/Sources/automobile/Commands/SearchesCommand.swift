import ArgumentParser

/// `automobile searches`: the searches that people saved in the viewer.
struct SearchesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "searches", abstract: "List the searches saved in the viewer, with links.",
    discussion: "With --json, one search per line.")

  @OptionGroup var collector: ConnectionOptions

  func run() async throws {
    let console = Console.standard
    let client = try collector.client()
    let searches = try await client.get("/api/searches")["searches"]?.array ?? []
    if collector.json {
      for search in searches { console.out(search.line) }
      return
    }
    guard !searches.isEmpty else {
      return console.note("No saved searches. In the viewer: filter the list, then press S.")
    }
    var table = Table(columns: [
      .init(title: "NAME", minimum: 12, paint: { $0.cyan($1) }), .init(title: "LINK", minimum: 20),
    ])
    table.rows = searches.map { search in
      [search["name"]?.text ?? "", client.url.absoluteString + "/" + (search["address"]?.text ?? "")].map(
        Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}
