import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile symbols link APP TEMPLATE`: how the files of an app are opened.
struct SymbolsLinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Say how the source of a frame is opened: in an editor, or at a forge.",
    discussion: """
      TEMPLATE is an address with {path}, {line}, {column} and {commit}, for example \\
      “vscode://file/{path}:{line}” or “https://github.com/OWNER/REPOSITORY/blob/{commit}/{path}#L{line}”. The commit is \\
      the one given with “automobile symbols add --commit”, else the session's tag “commit”. Without arguments, lists what is set.
      """)

  @Argument(help: "A bundle id; “*” is for all others.")
  var app: String?

  @Argument(help: "The address.")
  var template: String?

  @Option(help: "What file names begin with on the machine that built; left out of {path}.")
  var root: String?

  @Flag(help: "No link any more.")
  var remove = false

  @OptionGroup var collector: ConnectionOptions

  func validate() throws {
    guard app == nil || remove != (template != nil) else {
      throw ValidationError(
        "Give a template, or --remove: automobile symbols link com.example.shop 'vscode://file/{path}:{line}'")
    }
  }

  func run() async throws {
    let console = Console.standard
    guard let app else { return try await list(console) }
    let client = try collector.client(keyVariables: [CollectorClient.operatorKeyVariable])
    let change: JSON = [
      "app": .string(app), "link": template.map { .string($0) } ?? .null, "root": root.map { .string($0) } ?? .null,
    ]
    let answer = try await client.send(
      .PUT, "/api/settings/sources", type: "application/json", body: .bytes(Data(change.line.utf8)))
    if collector.json { return console.out(answer.line) }
    console.out(Printable.text(remove ? "removed the link of \(app)" : "\(app) opens \(template ?? "")"))
  }

  private func list(_ console: Console) async throws {
    let sources = try await collector.client().get("/api/settings/sources")["sources"]?.array ?? []
    if collector.json {
      for source in sources { console.out(source.line) }
      return
    }
    guard !sources.isEmpty else {
      return console.note("No links yet. Set one with: automobile symbols link APP 'vscode://file/{path}:{line}'")
    }
    var table = Table(columns: [
      .init(title: "APP", paint: { $0.cyan($1) }), .init(title: "LINK", minimum: 20), .init(title: "ROOT", rank: 1),
    ])
    table.rows = sources.map {
      [$0["app"]?.text ?? "", $0["link"]?.text ?? "", $0["root"]?.string ?? ""].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}
