import ArgumentParser

/// `automobile forward …`: pass on what comes, in OpenTelemetry's words.
struct ForwardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forward", abstract: "Pass on what comes to receivers of OpenTelemetry's protocol, as it comes.",
    discussion: """
      automobile forward add https://otlp.example.com --header-file token
      automobile forward add http://localhost:4318 --name Lab --type log,crash --level warning --from-beginning
      automobile forward
      automobile forward test Lab
      automobile forward set Lab --header-file new-token
      automobile forward pause Lab

      Addresses of private networks and of this machine are refused unless the collector is started with --allow-egress.
      """,
    subcommands: [
      ForwardListCommand.self, ForwardAddCommand.self, ForwardSetCommand.self, ForwardShowCommand.self,
      ForwardTestCommand.self,
      ForwardPauseCommand.self, ForwardResumeCommand.self, ForwardRemoveCommand.self,
    ],
    defaultSubcommand: ForwardListCommand.self)
}

/// Which forwarder a command is about.
struct ForwarderChoice: ParsableArguments {
  @Argument(help: "Its name or number.")
  var forwarder: String

  @OptionGroup var options: ConfigOptions

  /// As the collector lists it.
  func known(_ client: CollectorClient) async throws -> JSON {
    let all = try await client.get("/api/forwarders")["forwarders"]?.array ?? []
    if let found = all.first(where: { $0["name"]?.text == forwarder })
      ?? all.first(where: { $0["id"]?.text == forwarder })
    {
      return found
    }
    let names = all.compactMap { $0["name"]?.text }.joined(separator: ", ")
    throw Failure(
      message: "No forwarder “\(Printable.text(forwarder))”.",
      advice: names.isEmpty ? "Add one with: automobile forward add URL" : "There are: \(Printable.text(names))")
  }
}
