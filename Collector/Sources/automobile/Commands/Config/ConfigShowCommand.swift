import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile config show [BUNDLE]`: what an app is told, and by which document.
struct ConfigShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show an app's configuration, and which document each value comes from.",
    discussion: "With --json, the collector's answer: “document” is what was written, “effective” what the app gets.")

  @Argument(help: "An app's bundle id; “*” for all apps. Without it, every document is listed.")
  var bundle: String?

  @Flag(help: "Also show who changed it, and when.")
  var history = false

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    // “config kil” would else be the app “kil”, which is told everything's default.
    guard let bundle, !bundle.contains("."), bundle != "*",
      let near = Suggestion.nearest(to: bundle, among: ["kill", "revive", "rules", "set", "show"])
    else { return }
    throw ValidationError("“\(Printable.text(bundle))” is not a bundle id. Did you mean “config \(near)”?")
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    guard let bundle else { return try await list(client, console) }
    let document = try await client.configuration(of: bundle)
    let changes =
      history ? try await client.get("/api/config/\(CollectorClient.segment(bundle))/history")["changes"]?.array : nil
    if options.collector.json {
      var members = document.json.object ?? [:]
      if let changes { members["changes"] = .array(changes) }
      return console.out(JSON.object(members).line)
    }
    if let doubt = await client.doubt(app: bundle) { console.note(doubt) }
    show(document, console)
    if let changes { show(changes, console) }
  }

  private func list(_ client: CollectorClient, _ console: Console) async throws {
    let documents = try await client.get("/api/config")["documents"]?.array ?? []
    if options.collector.json {
      for document in documents { console.out(document.line) }
      return
    }
    guard !documents.isEmpty else { return console.note("No configuration yet: all apps record everything.") }
    var table = Table(columns: [
      .init(title: "APP", minimum: 10, paint: { $0.cyan($1) }),
      .init(title: "VERSION", alignsRight: true),
      .init(title: "CHANGED", rank: 1),
      .init(title: "SETTINGS", minimum: 20),
    ])
    table.rows = documents.map(ConfigurationDocument.init).map { document in
      [
        document.bundle, String(document.version), Format.ago(document.changedAt ?? 0, now: WallClock.now),
        document.sections.flattened().map { "\($0.path)=\($0.value.text)" }.joined(separator: " "),
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }

  private func show(_ document: ConfigurationDocument, _ console: Console) {
    let style = console.style
    let name = document.bundle == "*" ? "all apps" : document.bundle
    let state = document.isRecording ? style.green("recording") : style.red("switched off")
    console.out("\(style.bold(Printable.text(name)))  \(state)")
    if document.version > 0 {
      let facts = [
        "version \(document.version)", document.changedAt.map { Format.ago($0, now: WallClock.now) },
        document.changedBy,
      ]
      console.out(style.dim(Printable.text(facts.compactMap { $0 }.joined(separator: " · "))))
    }
    let members = document.effective.flattened().filter { $0.path != "version" && $0.path != "issuer" }
    guard !members.isEmpty else { return console.out(style.dim("everything is at its default")) }
    var table = Table(columns: [
      .init(title: "MEMBER", paint: { $0.cyan($1) }), .init(title: "VALUE", minimum: 10),
      .init(title: "FROM", rank: 1, paint: { $0.dim($1) }),
    ])
    table.rows = members.map { member in
      let own = document.sections.value(at: member.path.split(separator: ".").map(String.init))
      let from = document.bundle == "*" || own == member.value ? document.bundle : "*"
      return [member.path, member.value.text, from].map(Printable.text)
    }
    console.out()
    for line in table.lines(width: console.width, style: style) { console.out(line) }
  }

  private func show(_ changes: [JSON], _ console: Console) {
    guard !changes.isEmpty else { return }
    var table = Table(columns: [
      .init(title: "VERSION", alignsRight: true), .init(title: "WHEN"), .init(title: "BY", minimum: 12, rank: 1),
      .init(title: "DOCUMENT", minimum: 20, paint: { $0.dim($1) }),
    ])
    table.rows = changes.map(ConfigurationDocument.init).map { change in
      [
        String(change.version), Format.time(change.changedAt ?? 0, fraction: false), change.changedBy ?? "–",
        change.sections.line,
      ].map(Printable.text)
    }
    console.out()
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}
