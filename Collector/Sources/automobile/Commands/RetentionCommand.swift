import ArgumentParser
import Foundation

/// `automobile retention`: how long sessions are kept.
struct RetentionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention", abstract: "Show or set how long sessions are kept.",
    discussion: """
      automobile retention
      automobile retention --days 30 --size 20GB
      automobile retention --days forever --size none
      automobile retention --project com.example.shop --days 7
      automobile retention --project com.example.shop --days default

      Whole sessions are deleted, least recently active first. Of a project's days and the collector's the shorter ones hold. \
      With --json, the collector's answer.
      """)

  @Option(
    help: "Days after a session's last event; “forever” keeps everything, “default” a project's as the collector.")
  var days: String?

  @Option(help: "Maximum size of the index: 500MB, 20GB; “none” for no limit.")
  var size: String?

  @Option(help: "Of this project only: the app's bundle id, or the project's name.")
  var project: String?

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    if project != nil {
      guard size == nil else { throw ValidationError("--size is for the whole collector: leave out --project.") }
      if let days, days != "default", Self.days(days)?.int == nil {
        throw ValidationError("With --project, --days takes a number from 1 to 3650, or “default”.")
      }
      return
    }
    if let days, Self.days(days) == nil { throw ValidationError("--days takes a number from 1 to 3650, or “forever”.") }
    if let size, Self.bytes(size) == nil { throw ValidationError("--size takes 500MB, 20GB … or “none”.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    if let project { return try await run(client, console, of: project) }
    var settings = try await client.get("/api/settings")
    if days != nil || size != nil {
      // What is not said stays as it is.
      let current = settings["retention"]
      let body: JSON = [
        "days": days.flatMap(Self.days) ?? current?["days"] ?? .null,
        "bytes": size.flatMap(Self.bytes) ?? current?["bytes"] ?? .null,
      ]
      settings = try await client.send(.PUT, "/api/settings/retention", body)
    }
    if options.collector.json { return console.out(settings.line) }
    let retention = settings["retention"]
    let storage = settings["storage"]
    let style = console.style
    let kept = [
      retention?["days"]?.int.map { "for \(Format.plural($0, "day"))" },
      retention?["bytes"]?.int.map { "up to \(Format.bytes($0))" },
    ].compactMap { $0 }
    console.out(
      style.bold("Sessions are kept \(kept.isEmpty ? "forever" : kept.joined(separator: ", ")).".description))
    console.out(
      "\(Format.bytes(storage?["usedBytes"]?.int ?? 0)) used by \(Format.plural(storage?["sessions"]?.int ?? 0, "session")) "
        + "with \(Format.plural(storage?["events"]?.int ?? 0, "event"))"
        + (storage?["freeBytes"]?.int.map { ", \(Format.bytes($0)) free on the disk" } ?? "") + ".")
    if let deleted = retention?["deletedSessions"]?.int, deleted > 0 {
      let events = retention?["deletedEvents"]?.int ?? 0
      console.out(
        style.dim(
          "\(Format.plural(deleted, "session")) with \(Format.plural(events, "event")) deleted since the collector started."
        ))
    }
    if let problem = retention?["problem"]?.text { console.out(style.red(Printable.text(problem))) }
    for project in try await client.get("/api/projects")["projects"]?.array ?? [] where project["days"]?.int != nil {
      console.out(Self.line(of: project))
    }
  }

  private func run(_ client: CollectorClient, _ console: Console, of project: String) async throws {
    var found = try await client.project(named: project)
    if let days {
      let answer = try await client.send(
        .PUT, "/api/projects/\(found["id"]?.int ?? 0)/retention", ["days": Self.days(days) ?? .null])
      if options.collector.json { return console.out(answer.line) }
      found = try await client.project(named: project)
    }
    if options.collector.json {
      return console.out(JSON.object(["days": found["days"] ?? .null, "keptDays": found["keptDays"] ?? .null]).line)
    }
    console.out(Self.line(of: found))
  }

  /// How long the sessions of a project are kept, and why not for longer.
  private static func line(of project: JSON) -> String {
    let name = Printable.text(project["name"]?.text ?? "")
    let (own, kept) = (project["days"]?.int, project["keptDays"]?.int)
    let time = kept.map { "for \(Format.plural($0, "day"))" } ?? "forever"
    guard let own else { return "Sessions of \(name) are kept \(time), as the collector's." }
    guard let kept, kept < own else { return "Sessions of \(name) are kept \(time)." }
    return "Sessions of \(name) are kept \(time), as the collector's: its own \(Format.plural(own, "day")) are longer."
  }

  /// A number, or null for “forever”; nil when it is neither.
  static func days(_ text: String) -> JSON? {
    if text == "forever" { return .null }
    guard let days = Int(text), (1...3650).contains(days) else { return Optional.none }
    return JSON(days)
  }

  static func bytes(_ text: String) -> JSON? {
    if text == "none" { return .null }
    let units: [(String, Double)] = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6)]
    for (unit, factor) in units where text.uppercased().hasSuffix(unit) {
      guard let number = Double(text.dropLast(2)), number > 0, number * factor < 1e15 else { return Optional.none }
      return .integer(Int64(number * factor))
    }
    // Not a literal nil: that is also JSON's null.
    return Optional.none
  }
}
