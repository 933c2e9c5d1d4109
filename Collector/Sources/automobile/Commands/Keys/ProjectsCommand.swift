import ArgumentParser
import AutoMobileCollector

/// `automobile projects …`: the apps that have keys of their own.
struct ProjectsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "projects", abstract: "List, add and remove projects: apps with keys of their own.",
    discussion: """
      automobile projects add com.example.shop --name "Coffee Shop"
      automobile keys add --project com.example.shop
      automobile projects tracker com.example.shop "https://github.com/acme/shop/issues/new?title={title}&body={url}"
      automobile projects
      """,
    subcommands: [
      ProjectsListCommand.self, ProjectsAddCommand.self, ProjectsRemoveCommand.self, ProjectsTrackerCommand.self,
    ],
    defaultSubcommand: ProjectsListCommand.self)
}

struct ProjectsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List projects.", discussion: "With --json, one project per line, with its keys.")

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let projects = try await options.client().get("/api/projects")["projects"]?.array ?? []
    if options.collector.json {
      for project in projects { console.out(project.line) }
      return
    }
    guard !projects.isEmpty else {
      return console.note("No projects. Add one with: automobile projects add com.example.app")
    }
    var table = Table(columns: [
      .init(title: "PROJECT", minimum: 10, paint: { $0.cyan($1) }), .init(title: "APP", minimum: 12),
      .init(title: "KEYS", alignsRight: true), .init(title: "SESSIONS", alignsRight: true, rank: 2),
      .init(title: "LAST", rank: 1),
    ])
    table.rows = projects.map { project in
      [
        project["name"]?.text ?? "", project["bundleId"]?.text ?? "",
        Format.count((project["keys"]?.array ?? []).count { $0["good"]?.bool == true }),
        Format.count(project["sessions"]?.int ?? 0),
        project["received"]?.integer.map { Format.ago($0, now: WallClock.now) } ?? "nothing yet",
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}

struct ProjectsAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a project.")

  @Argument(help: "The app's bundle id.")
  var bundle: String

  @Option(help: "Its display name.")
  var name: String?

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await options.client().send(
      .POST, "/api/projects", ["bundleId": .string(bundle), "name": .string(name ?? bundle)])
    if options.collector.json { return console.out(answer.line) }
    console.out("Added. Create a key for its app with: automobile keys add --project \(Printable.text(bundle))")
  }
}

struct ProjectsRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a project and end its keys. What it has recorded stays.")

  @Argument(help: "The app's bundle id, or the project's name.")
  var project: String

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    let found = try await client.project(named: project)
    let answer = try await client.send(.DELETE, "/api/projects/\(found["id"]?.int ?? 0)")
    if options.collector.json { return console.out(answer.line) }
    console.out("Removed. Its keys no longer work.")
  }
}

extension CollectorClient {
  /// The project of a bundle id or a name.
  func project(named name: String) async throws -> JSON {
    let projects = try await get("/api/projects")["projects"]?.array ?? []
    let found = projects.filter { $0["bundleId"]?.text == name || $0["name"]?.text == name }
    guard let project = found.first, found.count == 1 else {
      throw Failure(
        message:
          "There \(found.isEmpty ? "is no project" : "are \(found.count) projects called") “\(Printable.text(name))”.",
        advice: "List them with: automobile projects")
    }
    return project
  }
}
