import ArgumentParser
import AutoMobileCollector

struct ForwardTestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send a record that says that it is a test.",
    discussion: "Exit code 1: a receiver did not take it.")

  @OptionGroup var choice: ForwarderChoice

  func run() async throws {
    let console = Console.standard
    let client = try choice.options.client()
    let number = try await choice.known(client)["id"]?.text ?? ""
    let answer = try await client.send(.POST, "/api/forwarders/\(number)/test", [:])
    let signals = answer["signals"]?.array ?? []
    if choice.options.collector.json {
      console.out(answer.line)
    } else {
      for signal in signals {
        let name = signal["signal"]?.text ?? ""
        console.out(
          signal["sent"]?.bool == true
            ? "\(console.style.green("✓")) \(name): taken"
            : "\(console.style.red("✗")) \(name): \(Printable.text(signal["reason"]?.text ?? "not taken"))")
      }
    }
    if signals.isEmpty || signals.contains(where: { $0["sent"]?.bool != true }) { throw ExitCode(1) }
  }
}

struct ForwardPauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Send nothing for now. What comes waits, as long as the collector keeps it.")

  @OptionGroup var choice: ForwarderChoice

  func run() async throws { try await choice.set(paused: true, "Paused.") }
}

struct ForwardResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Go on where it was; also when a receiver's refusal has stopped it.")

  @OptionGroup var choice: ForwarderChoice

  func run() async throws { try await choice.set(paused: false, "Goes on where it was.") }
}

struct ForwardRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a forwarder. What waits for it is not sent any more.")

  @OptionGroup var choice: ForwarderChoice

  func run() async throws {
    let console = Console.standard
    let client = try choice.options.client()
    let number = try await choice.known(client)["id"]?.text ?? ""
    let answer = try await client.send(.DELETE, "/api/forwarders/\(number)")
    console.out(choice.options.collector.json ? answer.line : "Removed.")
  }
}

extension ForwarderChoice {
  fileprivate func set(paused: Bool, _ words: String) async throws {
    let console = Console.standard
    let client = try options.client()
    let number = try await known(client)["id"]?.text ?? ""
    let answer = try await client.send(.PUT, "/api/forwarders/\(number)", ["paused": .bool(paused)])
    console.out(options.collector.json ? answer.line : words)
  }
}
