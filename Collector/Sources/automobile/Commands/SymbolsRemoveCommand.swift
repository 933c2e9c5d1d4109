import ArgumentParser

/// `automobile symbols remove BUILD…`: makes room.
struct SymbolsRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove the symbols of builds.",
    discussion: "Lists keep the function names found with them; frames lose files and lines.")

  @Argument(help: "Builds, as “automobile symbols list” shows them; the beginning of one is enough.")
  var builds: [String]

  @OptionGroup var collector: ConnectionOptions

  func run() async throws {
    let console = Console.standard
    let client = try collector.client(keyVariables: [CollectorClient.operatorKeyVariable])
    let known = (try await client.get("/api/symbols")["symbols"]?.array ?? []).compactMap { $0["id"]?.string }
    for build in builds {
      let wanted = build.lowercased().filter { $0 != "-" }
      let found = known.filter { !wanted.isEmpty && $0.hasPrefix(wanted) }
      guard let id = found.first else {
        throw Failure(
          message: "No symbols for “\(Printable.text(build))”.",
          advice: "List them with: automobile symbols list")
      }
      guard found.count == 1 else {
        throw Failure(message: "“\(Printable.text(build))” could be \(found.count) builds.", advice: "Type more of it.")
      }
      _ = try await client.send(.DELETE, "/api/symbols/\(id)")
      if collector.json {
        let line: JSON = ["id": .string(id), "removed": true]
        console.out(line.line)
      } else {
        console.out("removed \(id)")
      }
    }
  }
}
