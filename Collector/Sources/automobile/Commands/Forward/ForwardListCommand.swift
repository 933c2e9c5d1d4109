import ArgumentParser
import AutoMobileCollector

struct ForwardListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List forwarders.",
    discussion: "URLs are shown without their path, headers by their names. With --json, one forwarder per line.")

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    let all = try await options.client().get("/api/forwarders")["forwarders"]?.array ?? []
    if options.collector.json {
      for forwarder in all { console.out(forwarder.line) }
      return
    }
    guard !all.isEmpty else {
      return console.note("No forwarders. Add one with: automobile forward add https://otlp.example.com")
    }
    var table = Table(columns: [
      .init(title: "FORWARDER", alignsRight: true, paint: { $0.cyan($1) }), .init(title: "NAME", minimum: 8),
      .init(title: "TO", minimum: 16, rank: 1), .init(title: "STATE", minimum: 8),
      .init(title: "BEHIND", alignsRight: true), .init(title: "SENT", alignsRight: true),
      .init(title: "REJECTED", alignsRight: true, rank: 2), .init(title: "DROPPED", alignsRight: true, rank: 2),
    ])
    table.rows = all.map { forwarder in
      let lanes = forwarder["lanes"]?.array ?? []
      func sum(_ names: String...) -> String {
        Format.count(lanes.reduce(0) { sum, lane in sum + names.reduce(0) { $0 + (lane[$1]?.int ?? 0) } })
      }
      return [
        forwarder["id"]?.text ?? "", forwarder["name"]?.text ?? "", forwarder["url"]?.text ?? "",
        ForwardText.state(lanes), Format.count(lanes.map { $0["behind"]?.int ?? 0 }.max() ?? 0), sum("sent"),
        sum("rejected"), sum("expired", "passedOver"),
      ].map(Printable.text)
    }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
    for forwarder in all {
      for line in ForwardText.troubles(forwarder) { console.note(line) }
    }
  }
}

struct ForwardShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one forwarder.")

  @OptionGroup var choice: ForwarderChoice

  func run() async throws {
    let console = Console.standard
    let forwarder = try await choice.known(choice.options.client())
    if choice.options.collector.json { return console.out(forwarder.line) }
    for line in ForwardText.lines(forwarder, console.style) { console.out(line) }
  }
}
