import ArgumentParser
import AutoMobileCollector
import Foundation
import ServiceLifecycle

/// `automobile serve`: the collector.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Collect what apps record, and show it.",
    discussion:
      "Ctrl-C or SIGTERM stops it cleanly within \(LastResort.seconds) seconds. With --json it prints its address once: {\"url\", \"data\", \"version\", \"pid\"}."
  )

  // ``ServeArguments`` has read it before these words are parsed. Here it is for the help, and for completion.
  @Option(
    help: ArgumentHelp(
      "A file with these options, one a line, as “port = 8765”; what the command line says comes first. Or AUTOMOBILE_CONFIG in the environment.",
      valueName: "file"))
  var config: String?

  @Flag(
    name: .customLong("check-config"),
    help: "Print what it would be started with, without keys, and end: nothing is opened or started.")
  var checksConfiguration = false

  @OptionGroup var options: ServeOptions

  func validate() throws { try options.checkTogether() }

  func run() async throws {
    let console = Console.standard
    let settings = try options.collectorOptions(console)
    if checksConfiguration {
      // Read once more for the lines' numbers: what there was to warn of was said the first time.
      return ServeCheck.write(try ServeArguments(warn: { _ in }), asJSON: options.json, console)
    }
    // Whatever is made from now on is this user's alone.
    umask(0o077)
    let logger = CollectorServer.logger(level: options.logLevel)
    let collector = try await CollectorServer.make(settings, logger: logger)
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: collector), .init(service: LastResort(logger: logger))],
        gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
    do {
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let viewer = CollectorServer.viewer(
          host: options.host, port: try await collector.port, isSecure: options.tlsKey != nil)
        announce(viewer, settings.dataDirectory, try await link(of: collector, viewer, settings), console)
        try await tasks.waitForAll()
      }
    } catch {
      throw CollectorServer.explained(error, host: options.host, port: options.port)
    }
  }

  /// A link to sign in with, where somebody wants one: what is not a terminal may be a log that others read.
  private func link(of collector: Collector, _ viewer: String, _ settings: CollectorOptions) async throws -> String? {
    let isAsking = settings.asksForKeys || !settings.operatorKeys.isEmpty
    guard options.signInLink ?? (isAsking && !options.json && Console.standard.isTerminal) else { return nil }
    return (settings.publicURL ?? String(viewer.dropLast())) + (try await collector.signInLink())
  }

  private func announce(_ viewer: String, _ directory: URL, _ link: String?, _ console: Console) {
    if options.json {
      let pid = Int(ProcessInfo.processInfo.processIdentifier)
      var place: [String: JSON] = [
        "url": .string(viewer), "data": .string(directory.path), "version": .string(Collector.version),
        "pid": JSON(pid),
      ]
      if let link { place["signIn"] = .string(link) }
      console.out(JSON.object(place).line)
    } else {
      let style = console.style
      console.out("\(style.bold("AutoMobile \(Collector.version)")) is collecting")
      console.out("  viewer  \(style.cyan(viewer))")
      if let link {
        console.out("  sign in \(style.cyan(link))")
        console.out(style.dim("          works once, within 15 minutes; another one: automobile sign-in"))
      }
      console.out("  data    \(directory.path)")
      console.out(style.dim("  Ctrl-C to stop"))
    }
  }
}
