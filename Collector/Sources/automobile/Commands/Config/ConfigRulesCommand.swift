import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile config rules BUNDLE`: by which rules recordings leave devices, and what other rules would have sent.
struct ConfigRulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Show by which rules recordings leave devices, or try other rules.",
    discussion: """
      automobile config rules com.example.app
      automobile config rules com.example.app --try rules.json

      A trial holds the rules in a file against what is stored of the last seven days, and stores nothing. The file has a section \
      “upload”, or a whole document with one. When they are right: automobile config set BUNDLE upload="$(cat rules.json)"
      """)

  @Argument(help: "An app's bundle id; “*” for all apps.")
  var bundle: String

  @Option(name: .customLong("try"), help: "A file with rules to try; “-” reads standard input.")
  var trial: String?

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    guard let trial else { return try await show(client, console) }
    let section = try UploadRulesText.section(try ConfigSetCommand.read(trial))
    let answer = try await client.send(
      .POST, "/api/config/\(CollectorClient.segment(bundle))/try", .object(["upload": section]))
    if options.collector.json { return console.out(answer.line) }
    if let doubt = await client.doubt(app: bundle) { console.note(doubt) }
    for line in DryRunText.lines(answer, width: console.width, style: console.style) { console.out(line) }
    let problems = answer["problems"]?.array ?? []
    guard problems.isEmpty else {
      throw Failure(message: "\(Format.plural(problems.count, "problem")) in the rules: they would be refused.")
    }
  }

  private func show(_ client: CollectorClient, _ console: Console) async throws {
    let document = try await client.configuration(of: bundle)
    let section = document.effective["upload"] ?? [:]
    if options.collector.json { return console.out(section.line) }
    if let doubt = await client.doubt(app: bundle) { console.note(doubt) }
    let name = document.bundle == "*" ? "all apps" : document.bundle
    console.out("\(console.style.bold(Printable.text(name)))  \(UploadRulesText.mode(section))")
    let facts = UploadRulesText.budgets(section)
    if !facts.isEmpty { console.out(console.style.dim(facts.joined(separator: " · "))) }
    let rules = section["rules"]?.array ?? []
    guard !rules.isEmpty else { return }
    var table = Table(columns: [
      .init(title: "RULE", minimum: 10, paint: { $0.cyan($1) }), .init(title: "WHEN", minimum: 20),
      .init(title: "SENDS", minimum: 10), .init(title: "PER DAY", alignsRight: true, rank: 1),
      .init(title: "PRIORITY", alignsRight: true, rank: 2),
    ])
    table.rows = rules.map { rule in
      [
        rule["name"]?.text ?? "–", UploadRulesText.trigger(rule["when"] ?? .null),
        UploadRulesText.span(rule["send"] ?? .null), rule["send"]?["perDay"]?.text ?? "–",
        rule["send"]?["priority"]?.text ?? "5",
      ].map(Printable.text)
    }
    console.out()
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}
