import ArgumentParser
import AutoMobileCollector
import Foundation
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle

/// Everything that the demo starts: the collector, the shop and, one after the other, the app's launches.
struct DemoRun {
  let program: URL
  let directory: DemoDirectory
  let port: Int?
  let once: Bool
  let json: Bool
  /// How slow the app's user is, beside one whom somebody watches.
  let pace: Double
  /// In flight recorder mode.
  var keeps = false
  let console: Console

  private static let usualPort = 8765

  func run() async throws {
    // Somebody who tries the demo may have a collector running.
    let port = port ?? (FreePort.isFree(Self.usualPort) ? Self.usualPort : 0)
    var options = CollectorOptions(dataDirectory: directory.collector)
    options.port = port
    let logger = CollectorServer.logger(level: .error)
    let collector = try await CollectorServer.make(options, logger: logger)
    // So that stacks show functions and lines. Without them the story is the same.
    try? await collector.addSymbols(program.path, name: program.lastPathComponent)
    let (shopPorts, shopOpened) = AsyncStream<Int>.makeStream()
    let shop = Application(
      router: Shop().router, configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: "roastery"),
      onServerRunning: { shopOpened.yield($0.localAddress?.port ?? 0) }, logger: logger)
    // Nil until the story is told.
    let holds = NIOLockedValueBox<Bool?>(nil)
    let story = StoryService {
      for await shopPort in shopPorts {
        let ledgerHolds = try await tell(collectorPort: try await collector.port, shopPort: shopPort)
        holds.withLockedValue { $0 = ledgerHolds }
        return
      }
    }
    let stay = !once
    let group = ServiceGroup(
      configuration: .init(
        services: [
          .init(service: collector), .init(service: shop),
          .init(
            service: story.then { if stay { try await gracefulShutdown() } },
            successTerminationBehavior: .gracefullyShutdownGroup, failureTerminationBehavior: .gracefullyShutdownGroup),
        ], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
    do {
      try await group.run()
    } catch {
      throw CollectorServer.explained(error, host: options.host, port: port)
    }
    // Leaving early is no failure, except where the answer was all that was asked for.
    if !(holds.withLockedValue { $0 } ?? !once) { throw ExitCode(Failure.Kind.failed.rawValue) }
  }

  /// - Returns: whether nothing was lost and nothing doubled.
  private func tell(collectorPort: Int, shopPort: Int) async throws -> Bool {
    let viewer = CollectorServer.viewer(host: "127.0.0.1", port: collectorPort)
    guard let url = URL(string: "http://127.0.0.1:\(collectorPort)"),
      let shop = URL(string: "http://127.0.0.1:\(shopPort)")
    else { return false }
    let client = CollectorClient(url: url, key: nil)
    let key = try await makeKey(client)
    say(console.style.bold("AutoMobile demo") + ", \(viewer)")
    say("          a coffee shop's app, its API at \(shop.absoluteString), data in \(directory.url.path)")
    say("")
    let told = DemoStory(
      program: program, directory: directory, collector: url, key: key, shop: shop, pace: pace,
      keeps: keeps, say: { say($0) })
    if keeps { return try await tellKeeping(told, client, viewer) }
    let launches = try await told.tell { launches in
      _ = try await DemoLedger.settle(client, story: launches, limit: .seconds(20))
    }
    let ledger = try await DemoLedger.settle(client, story: launches, limit: .seconds(2))
    let report = DemoReport(ledger: ledger, viewer: viewer, receivedBytes: await DemoTraffic.read(client))
    say("")
    for line in report.lines(width: console.width, style: json ? console.errorStyle : console.style) { say(line) }
    if json { console.out(report.json.line) }
    if !once { invite(ledger, viewer) }
    return ledger.holds
  }

  /// - Returns: whether every step of it did what it had to.
  private func tellKeeping(_ told: DemoStory, _ client: CollectorClient, _ viewer: String) async throws -> Bool {
    let story = DemoKeepingStory(
      client: client, viewer: viewer, once: once || json, width: console.width,
      style: json ? console.errorStyle : console.style,
      say: { say($0) })
    let outcome = try await story.tell(told)
    if json { console.out(DemoKeepingStory.json(outcome, viewer: viewer).line) }
    if !once { say(story.style.dim("Ctrl-C to stop.")) }
    return outcome.holds
  }

  /// The app's project at the collector, as an operator sets it up, and its key.
  private func makeKey(_ client: CollectorClient) async throws -> String? {
    let project = try await client.send(
      .POST, "/api/projects", ["bundleId": "com.example.coffeeshop", "name": "Coffee shop"])
    let key = try await client.send(
      .POST, "/api/keys", ["project": project["id"] ?? .null, "role": "ingest", "name": "demo"])
    return key["key"]?.string
  }

  private func invite(_ ledger: DemoLedger, _ viewer: String) {
    let style = json ? console.errorStyle : console.style
    say("\nSee it:  \(style.cyan(viewer))")
    // The newest is listed first.
    let stories = ["the one that came back", "the one that hung and crashed", "the one that was killed"]
    for (session, story) in zip(ledger.sessions, stories) {
      guard let id = session["sessionId"]?.string else { continue }
      say("         \(style.cyan("\(viewer)#/sessions/\(CollectorClient.segment(id))"))  \(story)")
    }
    say(style.dim("Ctrl-C to stop."))
  }

  /// Progress: to standard error where standard output is for the JSON.
  private func say(_ line: String) { json ? console.note(line) : console.out(line) }
}

/// A service that does one thing, and leaves it when the program is to end.
private struct StoryService: Service {
  let work: @Sendable () async throws -> Void

  init(_ work: @escaping @Sendable () async throws -> Void) { self.work = work }

  func run() async throws { try await work() }

  /// The work until it ends or the program is to end; then `next`.
  func then(_ next: @escaping @Sendable () async throws -> Void) -> StoryService {
    StoryService {
      do {
        try await cancelWhenGracefulShutdown { try await work() }
      } catch is CancellationError {
        return
      }
      try await next()
    }
  }
}
