import ArgumentParser
import AutoMobileCollector

/// `automobile health`: how well the apps do.
struct HealthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Show app health: crashes, exits, launch time, hangs, frames, memory, data completeness.",
    discussion: """
      automobile health --since 30d
      automobile health --app com.example.shop --app-version 2.1 --json
      automobile health --link

      With --json, the collector's answer as one object.
      """)

  @Option(help: "Only this app, by its bundle id.")
  var app: String?

  @Option(help: "Only this version of the app.")
  var appVersion: String?

  @Option(help: "How far back: 90m, 12h, 14d, 8w.")
  var since: Span = Span(milliseconds: 14 * 86_400_000)

  @OptionGroup var link: LinkOption
  @OptionGroup var collector: ConnectionOptions

  func run() async throws {
    let console = Console.standard
    let now = WallClock.now
    let client = try collector.client()
    let health = try await client.get(
      "/api/health",
      [
        ("app", app), ("version", appVersion), ("from", String(now - since.milliseconds)), ("to", String(now + 1)),
      ])
    let address = link.isOn ? client.link(healthOf: app, version: appVersion, since: since) : nil
    if collector.json { return console.out((link.isOn ? health.adding(viewerUrl: address) : health).line) }
    guard health["apps"]?.array?.isEmpty == false else {
      return console.note("No app has sent anything yet. No data? Run diagnostics: automobile doctor")
    }
    if let doubt = await client.doubt(app: app, version: appVersion) { console.note(doubt) }
    if let address { console.out(console.style.dim(Printable.text(address))) }
    let saved = try await client.get(
      "/api/health/savings", [("app", app), ("from", String(now - since.milliseconds)), ("to", String(now + 1))])
    HealthText(health, saved: saved, console).show()
  }
}

/// A length of time as people type it.
struct Span: ExpressibleByArgument, CustomStringConvertible {
  var milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  init?(argument: String) {
    let units: [Character: Int64] = ["m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000]
    guard let last = argument.last, let unit = units[last], let count = Int64(argument.dropLast()),
      (1...100_000).contains(count)
    else { return nil }
    milliseconds = count * unit
  }

  var description: String {
    milliseconds % 86_400_000 == 0 ? "\(milliseconds / 86_400_000)d" : "\(milliseconds / 60_000)m"
  }

  var defaultValueDescription: String { description }
}
