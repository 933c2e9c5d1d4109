import ArgumentParser
import AutoMobileCollector

/// `automobile forward add URL`
struct ForwardAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a forwarder. It sends what comes from now on.",
    discussion: "What is secret is better given in a file, which process lists don't show.")

  @Argument(help: "The receiver's base URL, to which /v1/logs and /v1/traces are added: https://otlp.example.com")
  var receiver: String

  @OptionGroup var settings: ForwarderOptions

  @Flag(help: "Send also what the collector has already.")
  var fromBeginning = false

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    var body = try settings.body()
    body["url"] = .string(receiver)
    if fromBeginning { body["fromBeginning"] = true }
    let answer = try await options.client().send(.POST, "/api/forwarders", .object(body))
    if options.collector.json { return console.out(answer.line) }
    settings.doubt(receiver, console)
    let number = answer["id"]?.text ?? ""
    console.note("\(console.errorStyle.green("✓")) Forwarder \(number). Try it: automobile forward test \(number)")
  }
}

/// `automobile forward set FORWARDER …`
struct ForwardSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a forwarder. It goes on where it was.",
    discussion: "What is not given stays. Headers have to be given again when --to leads to another place.")

  @OptionGroup var choice: ForwarderChoice

  @Option(help: "The receiver's base URL.")
  var to: String?

  @OptionGroup var settings: ForwarderOptions

  func run() async throws {
    let console = Console.standard
    var body = try settings.body()
    if let to { body["url"] = .string(to) }
    guard !body.isEmpty else { throw ValidationError("Say what to change: --to, --header-file, --level …") }
    let client = try choice.options.client()
    let number = try await choice.known(client)["id"]?.text ?? ""
    let answer = try await client.send(.PUT, "/api/forwarders/\(number)", .object(body))
    settings.doubt(to, console)
    console.out(choice.options.collector.json ? answer.line : "Changed.")
  }
}
