import ArgumentParser
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// `automobile demo`: an app that is killed, crashes and comes back, and what the collector has of it.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Run the demo: an app is killed, crashes, and comes back.",
    discussion: """
      Starts a collector on an empty directory, a small coffee shop's API, and an instrumented app, in three launches: one \
      is killed while four threads record, one blocks its main thread and dies of a signal, one comes back and delivers. \
      Then it prints the ledger, and serves until Ctrl-C.

      With --once it exits when done: exit code 0 only if nothing was lost or duplicated. With --json the last line of standard \
      output is {"launches": [{"end", "recorded", "delivered", "dropped", "lost", "duplicated"}], "sessions", "events", \
      "receivedBytes", "viewer"}; receivedBytes is what came over the network, as it came.

      With --keep the app keeps what it records, and what matters comes by itself. Then what stays on the device is asked for: one \
      session, and with --once all of them. After each step the ledger has to add up, else the exit code is not 0. The JSON has \
      "asks" [{"sessionId", "before", "after", "milliseconds", "came"}]; receivedBytes is what came before anybody asked, and \
      wholeBytes what came in all.
      """)

  @Flag(help: "Exit when done. The data goes to a temporary directory, unless --data is given.")
  var once = false

  @Flag(help: "Print the ledger as one JSON object.")
  var json = false

  @Flag(
    help: """
      In flight recorder mode: events stay on the device, but for summaries of sessions, crashes, handled failures, hangs, and \
      the minutes around what the standard rules name.
      """)
  var keep = false

  @Option(help: "The collector's port; 0 chooses a free one.")
  var port: Int?

  @Option(help: "An empty directory, or one of an earlier demo, which is emptied. (default: demo-data)")
  var data: String?

  @Option(help: "The demo's app. (default: beside this program, or in the SDK package's .build)")
  var app: String?

  @Option(
    help: """
      How long the app's user stays on each screen: 1 to watch, 8 to read along, at most 10. \
      (default: 1, with --once 0.3)
      """)
  var pace: Double?

  func validate() throws {
    if let pace, !(0...10).contains(pace) { throw ValidationError("--pace must be between 0 and 10.") }
    if let port, !(0...65535).contains(port) { throw ValidationError("--port must be between 0 and 65535.") }
  }

  func run() async throws {
    let console = Console.standard
    let program = try AppProgram.find(app)
    let isTemporary = once && data == nil
    let place =
      isTemporary
      ? FileManager.default.temporaryDirectory.appending(path: "automobile-demo-\(UUID().uuidString)")
      : URL(filePath: data ?? "demo-data").absoluteURL
    let directory = DemoDirectory(url: place)
    try directory.prepare()
    defer { if isTemporary { directory.remove() } }
    try await DemoRun(
      program: program, directory: directory, port: port, once: once, json: json, pace: pace ?? (once ? 0.3 : 1),
      keeps: keep, console: console
    ).run()
  }
}
