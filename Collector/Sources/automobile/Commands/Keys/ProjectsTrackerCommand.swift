import ArgumentParser

/// `automobile projects tracker APP [TEMPLATE]`: where an issue of an app is created in an external tracker.
struct ProjectsTrackerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracker", abstract: "Set where an app's issues are created in an external tracker.",
    discussion: """
      TEMPLATE is an address that begins with https:// or http://, with {title}, {subtitle}, {message}, {id}, {kind}, {app}, \
      {version}, {count} and {url} (the issue in the viewer), for example \
      “https://github.com/acme/shop/issues/new?title={title}&body={url}”. Without it, prints what is set.
      """)

  @Argument(help: "The app's bundle id, or the project's name.")
  var project: String

  @Argument(help: "The address.")
  var template: String?

  @Flag(help: "Remove the address.")
  var remove = false

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard template == nil || !remove else { throw ValidationError("Give a template, or --remove.") }
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    let found = try await client.project(named: project)
    let name = Printable.text(found["name"]?.text ?? project)
    guard template != nil || remove else {
      if options.collector.json { return console.out(JSON.object(["tracker": found["tracker"] ?? .null]).line) }
      guard let tracker = found["tracker"]?.string else {
        return console.note("\(name) has no tracker. Set one with: automobile projects tracker APP TEMPLATE")
      }
      return console.out(Printable.text(tracker))
    }
    let answer = try await client.send(
      .PUT, "/api/projects/\(found["id"]?.int ?? 0)", ["tracker": template.map { .string($0) } ?? .null])
    if options.collector.json { return console.out(answer.line) }
    console.out(
      template.map { "Issues of \(name) are created at \(Printable.text($0))" } ?? "Removed the tracker of \(name).")
  }
}
