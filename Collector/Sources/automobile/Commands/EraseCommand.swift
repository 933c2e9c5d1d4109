import ArgumentParser
import Foundation

/// `automobile erase`: all that belongs to one user, device or session, with a receipt.
struct EraseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase", abstract: "Erase everything of one user, device or session, and print the receipt.",
    discussion: """
      automobile erase --user ada --dry-run
      automobile erase --user ada --reason "Request 4711"
      automobile erase --session 3f2a51c0 --project com.example.shop

      Nothing of it is taken in from then on. It waits until everything is erased, which takes a while where much is kept; if you \
      end it, the collector goes on. The receipt says what was removed, and what remains. With --json, the collector's answer. \
      It needs an operator key.
      """)

  @Option(help: "The user's id, as the app gave it.")
  var user: String?

  @Option(help: "The anonymousId of an installation.")
  var device: String?

  @Option(help: "A session's id.")
  var session: String?

  @Option(help: "Only what belongs to the app with this bundle id.")
  var project: String?

  @Option(help: "Why; it stays in the receipt, so leave out the name.")
  var reason: String?

  @Flag(help: "Count what would be erased, and erase nothing.")
  var dryRun = false

  @Flag(help: "Do not wait until it is done.")
  var noWait = false

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard [user, device, session].compactMap(\.self).count == 1 else {
      throw ValidationError("Name one of --user, --device and --session.")
    }
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    var body: [String: JSON] = ["dryRun": .bool(dryRun)]
    for (name, value) in [
      ("user", user), ("device", device), ("session", session), ("project", project), ("reason", reason),
    ] {
      if let value { body[name] = .string(value) }
    }
    let answer = try await client.send(.POST, "/api/erasures", .object(body))
    if dryRun {
      if options.collector.json { return console.out(answer.line) }
      console.out("\(Format.plural(answer["sessions"]?.int ?? 0, "session")) would be erased.")
      return show(answer["rows"], console)
    }
    guard let id = answer["id"]?.int else { throw Failure(message: "The collector gave no number for the erasure.") }
    guard !noWait else {
      if options.collector.json { return console.out(answer.line) }
      return console.out("Erasure \(id) has begun.")
    }
    let erasure = try await wait(for: id, client, console)
    if options.collector.json { return console.out(erasure.line) }
    show(erasure, console)
  }

  private func wait(for id: Int, _ client: CollectorClient, _ console: Console) async throws -> JSON {
    var problem: String?
    while true {
      let erasure = try await client.get("/api/erasures/\(id)")
      if erasure["step"]?.text == "done" { return erasure }
      if let found = erasure["problem"]?.string, found != problem {
        console.note("Waiting: \(Printable.text(found))")
        problem = found
      }
      try await Task.sleep(for: .milliseconds(250))
    }
  }

  private func show(_ erasure: JSON, _ console: Console) {
    let style = console.style
    console.out(
      style.bold(
        "Erasure \(erasure["id"]?.int ?? 0) is done: \(Format.plural(erasure["sessions"]?.int ?? 0, "session")) erased."
      ))
    guard let text = erasure["receipt"]?.string,
      let receipt = try? JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    else {
      return
    }
    show(receipt["removed"]?["rows"], console)
    for entry in receipt["remains"]?.array ?? [] {
      let until = entry["until"]?.integer.map { " (until \(Format.time($0, fraction: false)))" } ?? ""
      console.out(
        style.dim(
          "Remains: \(Printable.text(entry["what"]?.text ?? "")): \(Printable.text(entry["why"]?.text ?? ""))\(until)"))
    }
    console.out("")
    console.out(Printable.text(text))
    console.out("sha256 \(Printable.text(erasure["sha256"]?.text ?? ""))")
  }

  private func show(_ rows: JSON?, _ console: Console) {
    guard case .object(let members)? = rows else { return }
    for (name, count) in members.sorted(by: { $0.key < $1.key }) {
      console.out("  \(Printable.text(name)): \(count.int ?? 0)")
    }
  }
}
