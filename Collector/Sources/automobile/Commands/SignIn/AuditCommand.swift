import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile audit`: who did what.
struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show who opened, changed, took away and was refused what.",
    discussion: """
      automobile audit --who mira
      automobile audit --action refused --days 1

      It needs an operator key. With --json, one entry per line.
      """)

  @Option(help: "Only whose name, key or address contains this.")
  var who: String?

  @Option(help: "Only things or routes whose name contains this: a session, a user.")
  var what: String?

  @Option(help: "Only one kind: read, export, change, sign-in, sign-out or refused.")
  var action: String?

  @Option(help: "Only the last days.")
  var days: Int?

  @Option(help: "How many, from 1 to 1000.")
  var limit = 50

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard (1...1000).contains(limit) else { throw ValidationError("--limit must be from 1 to 1000.") }
    guard days.map({ (1...36_500).contains($0) }) ?? true else {
      throw ValidationError("--days must be from 1 to 36500.")
    }
    let actions = ["read", "export", "change", "sign-in", "sign-out", "refused"]
    guard action.map(actions.contains) ?? true else {
      throw ValidationError("--action must be one of \(actions.joined(separator: ", ")).")
    }
  }

  func run() async throws {
    let console = Console.standard
    let from = days.map { String(WallClock.now - Int64($0) * 86_400_000) }
    let entries = try await options.client().get(
      "/api/audit",
      [("who", who), ("what", what), ("action", action), ("from", from), ("limit", String(limit))])["entries"]?.array
    if options.collector.json {
      for entry in entries ?? [] { console.out(entry.line) }
      return
    }
    guard let entries, !entries.isEmpty else { return console.note("Nothing like this was written down.") }
    var table = Table(columns: [
      .init(title: "TIME"), .init(title: "WHO", minimum: 10, paint: { $0.cyan($1) }), .init(title: "DID"),
      .init(title: "THING", minimum: 12), .init(title: "ROUTE", minimum: 12, rank: 2), .init(title: "FROM", rank: 3),
      .init(title: "BY", rank: 4),
    ])
    table.rows = entries.map { entry in
      [
        Format.time(entry["at"]?.integer ?? 0, fraction: false), entry["who"]?.text ?? "",
        entry["action"]?.text ?? "", entry["thing"]?.string ?? "", entry["route"]?.text ?? "",
        entry["address"]?.string ?? "", entry["by"]?.text ?? "",
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}
