import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile sign-in …`: how people get into the viewer without a key.
struct SignInCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in", abstract: "Create links with which people sign in to the viewer; see who is signed in.",
    discussion: """
      automobile sign-in
      automobile sign-in --role viewer --project com.example.shop --name Mira --minutes 60
      automobile sign-in list
      automobile sign-in end 3

      A link works once. It needs an operator key: --key-file, or AUTOMOBILE_OPERATOR_KEY in the environment.
      """,
    subcommands: [SignInLinkCommand.self, SignInListCommand.self, SignInEndCommand.self],
    defaultSubcommand: SignInLinkCommand.self)
}

struct SignInLinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Create a link that signs somebody in, once.",
    discussion: "A viewer reads, an operator also decides about projects, an admin may do everything.")

  @Option(help: "What they may do: viewer, operator or admin.")
  var role = "admin"

  @Option(help: "The bundle id of the project that it is for. (default: all)")
  var project: String?

  @Option(help: "Whom it is for: changes are noted down under this name. (default: your user name)")
  var name: String?

  @Option(help: "How long the link works.")
  var minutes = 15

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard ["viewer", "operator", "admin"].contains(role) else {
      throw ValidationError("--role must be viewer, operator or admin.")
    }
    guard project == nil || role != "admin" else {
      throw ValidationError("An admin is one for all projects: leave out --project, or choose another --role.")
    }
    guard (1...10_080).contains(minutes) else { throw ValidationError("--minutes must be from 1 to 10080.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    let answer = try await client.send(
      .POST, "/api/sign-in/links",
      [
        "role": .string(role), "project": project.map { .string($0) } ?? .null,
        "name": .string(name ?? NSUserName()), "minutes": JSON(minutes),
      ])
    let link = answer["url"]?.string ?? client.url.absoluteString + (answer["path"]?.text ?? "")
    if options.collector.json {
      return console.out(
        JSON.object(["url": .string(link), "name": answer["name"] ?? .null, "endsAt": answer["endsAt"] ?? .null]).line)
    }
    let place = project.map { " for \(Printable.text($0))" } ?? ""
    console.note(
      "Signs \(Printable.text(answer["name"]?.text ?? "")) in once, as \(role)\(place), within \(minutes) min:")
    console.out(Printable.text(link))
  }
}

struct SignInListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List who is signed in.", discussion: "With --json, one browser per line.")

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let sessions = try await options.client().get("/api/sign-ins")["sessions"]?.array ?? []
    if options.collector.json {
      for session in sessions { console.out(session.line) }
      return
    }
    guard !sessions.isEmpty else { return console.note("Nobody is signed in.") }
    let now = WallClock.now
    var table = Table(columns: [
      .init(title: "SIGN-IN", alignsRight: true, paint: { $0.cyan($1) }), .init(title: "NAME", minimum: 8),
      .init(title: "MAY", minimum: 8), .init(title: "SINCE", rank: 2), .init(title: "LAST SEEN", rank: 1),
      .init(title: "FROM", rank: 3),
    ])
    table.rows = sessions.map { session in
      let grants = (session["grants"]?.array ?? []).map { grant in
        (grant["role"]?.text ?? "") + (grant["project"]?.string.map { "@" + $0 } ?? "")
      }
      return [
        session["id"]?.text ?? "", session["name"]?.text ?? "", grants.joined(separator: " "),
        Format.ago(session["createdAt"]?.integer ?? now, now: now),
        Format.ago(session["lastSeenAt"]?.integer ?? now, now: now), session["address"]?.string ?? "",
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }
}

struct SignInEndCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "end", abstract: "Sign somebody out.")

  @Argument(help: "The sign-in's number, from the list.")
  var signIn: Int

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let answer = try await options.client().send(.DELETE, "/api/sign-ins/\(signIn)")
    if options.collector.json { return console.out(answer.line) }
    console.out("Signed out.")
  }
}
