import AutoMobileCollector
import Foundation

/// Finds out why nothing arrives: from the address to the devices' clocks. Each step needs the ones before it.
struct Diagnosis {
  let connection: Connection
  let client: CollectorClient
  /// The collector's data directory, when it is on this machine.
  let data: URL
  var checks: [Check] = []
  /// Whether there is anything that could be lost or unreadable.
  var hasReceived = false

  init(connection: Connection, data: URL) {
    self.connection = connection
    var client = connection.client
    client.timeout = .seconds(5)
    self.client = client
    self.data = data
  }

  mutating func run() async {
    guard await address(), await key() else { return }
    await launches()
    await quarantine()
    await configuration()
    await arrivals()
    await retention()
    await symbols()
    disk()
  }

  // MARK: Can it be reached?

  private mutating func address() async -> Bool {
    let url = client.url.absoluteString
    let answer: CollectorClient.Answer
    let asked = Date()
    do {
      answer = try await client.raw("/health")
    } catch {
      let failure = error as? Failure
      checks.append(.problem("address", failure?.message ?? "\(error)", failure?.advice ?? "Is the address right?"))
      return false
    }
    let health = try? JSONDecoder().decode(JSON.self, from: Data(answer.body.readableBytesView))
    guard answer.status == 200, let status = health?["status"]?.string else {
      checks.append(
        .problem(
          "address", "Something answers at \(url), but it is not a collector.",
          "Another program has the port. Start the collector on another one: automobile serve --port 8770"))
      return false
    }
    checks.append(
      status == "ok"
        ? .ok("address", "A collector answers at \(url) (\(connection.urlSource.text)).")
        : .problem("address", "The collector at \(url) says: \(Printable.text(status)).", "See its log."))
    version(health)
    clock(answer, asked: asked)
    if ["127.0.0.1", "localhost", "::1", "[::1]"].contains(client.url.host ?? "") {
      checks.append(
        .ok(
          "reach",
          "Simulators and programs on this machine can reach it. For a phone: --host 0.0.0.0 --ingest-key-file …")
      )
    }
    return true
  }

  private mutating func version(_ health: JSON?) {
    guard let version = health?["version"]?.string else {
      checks.append(
        .warning("version", "It does not say its version: AutoMobile's own receiver?", "The API is missing there."))
      return
    }
    checks.append(
      version == Collector.version
        ? .ok("version", "Version \(Printable.text(version)), the same as this command.")
        : .warning(
          "version", "It is version \(Printable.text(version)), this command is \(Collector.version).",
          "Restart the collector after an update."))
  }

  private mutating func clock(_ answer: CollectorClient.Answer, asked: Date) {
    guard let text = answer.headers.first(name: "Date"), let date = Self.httpDate(text) else { return }
    let skew = date.timeIntervalSince(asked)
    checks.append(
      abs(skew) < 5
        ? .ok("clock", "Its clock agrees with this machine's.")
        : .warning(
          "clock",
          "Its clock is \(Format.duration(milliseconds: abs(skew) * 1000)) \(skew < 0 ? "behind" : "ahead of") this machine's.",
          "Correct one of them; times in the viewer are off by that much."))
  }

  static func httpDate(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return formatter.date(from: text)
  }

  private mutating func key() async -> Bool {
    do {
      let answer = try await client.raw("/api/sessions", [("limit", "1")])
      switch answer.status {
      case 200:
        checks.append(
          .ok(
            "key",
            connection.keySource.map { "It accepts the key (\($0.text))." } ?? "No key is required."))
        return true
      case 403:
        let refusal = client.refusal(status: answer.status, body: answer.body)
        checks.append(
          .problem(
            "key", refusal.message,
            "This key only delivers. To read, create another one: automobile keys add --role viewer"))
      case 401:
        checks.append(
          .problem(
            "key",
            connection.keySource.map { "It does not know the key (\($0.text))." }
              ?? (connection.hasForeignKey
                ? "A key is required. The saved one belongs to another address." : "A key is required."),
            "Give the one it was started with: --key-file …, and AutoMobileConfiguration(endpoint:apiKey:) in the app.")
        )
      default:
        let refusal = client.refusal(status: answer.status, body: answer.body)
        checks.append(.problem("key", refusal.message, "See its log."))
      }
    } catch {
      checks.append(.problem("key", "It stopped answering.", "See its log."))
    }
    return false
  }

  private mutating func symbols() async {
    guard let answer = try? await client.get("/api/symbols") else { return }
    let builds = answer["symbols"]?.array?.count ?? 0
    if let problem = answer["problem"]?.string {
      checks.append(
        .warning("symbols", "Reports show no lines.", "On the collector's machine: \(Printable.text(problem)).")
      )
    } else if builds == 0 {
      checks.append(.empty("symbols", "None yet: stacks show addresses. Add some with: automobile symbols add PATH"))
    } else {
      checks.append(.ok("symbols", "Stacks of \(Format.plural(builds, "build")) show functions and lines."))
    }
  }

  // MARK: Is it switched off?

  private mutating func configuration() async {
    guard let documents = try? await client.get("/api/config")["documents"]?.array else { return }
    var isPlain = true
    for document in documents.map(ConfigurationDocument.init) {
      let name = document.bundle == "*" ? "all apps" : Printable.text(document.bundle)
      let bundle = document.bundle == "*" ? "'*'" : Printable.text(document.bundle)
      if document.sections["recording"]?["enabled"]?.bool == false {
        isPlain = false
        checks.append(
          .warning(
            "switched off", "Recording is switched off for \(name).",
            "Switch it on with: automobile config revive \(bundle)"))
      }
      if let rate = document.sections["sampling"]?["sessionRate"]?.number, rate < 1 {
        isPlain = false
        let share = Format.share(Int((rate * 10_000).rounded()), of: 10_000)
        checks.append(
          .warning(
            "sampling", "\(share) of the sessions of \(name) are recorded.",
            "Record all again with: automobile config set \(bundle) sampling.sessionRate="))
      }
    }
    guard isPlain else { return }
    checks.append(
      hasReceived
        ? .ok("recording", "All apps record everything.")
        : .empty("recording", "No apps yet. All would record everything."))
  }

  // MARK: Does it stay?

  private mutating func retention() async {
    guard let settings = try? await client.get("/api/settings") else { return }
    let (retention, storage) = (settings["retention"], settings["storage"])
    if let problem = retention?["problem"]?.text {
      checks.append(
        .problem("retention", "Old sessions cannot be deleted: \(Printable.text(problem)).", "See its log."))
      return
    }
    let used = storage?["usedBytes"]?.int ?? 0
    let days = retention?["days"]?.int.map { "for \(Format.plural($0, "day"))" }
    let size = retention?["bytes"]?.int.map { "up to \(Format.bytes($0))" }
    let kept = [days, size].compactMap { $0 }
    if let limit = retention?["bytes"]?.int, used > limit {
      checks.append(
        .warning(
          "retention", "The index has \(Format.bytes(used)), more than its limit of \(Format.bytes(limit)).",
          "Sessions of the last hour are always kept: allow more with automobile retention --size …"))
    } else if kept.isEmpty, let free = storage?["freeBytes"]?.int, free < used * 2, used > 1 << 30 {
      checks.append(
        .warning(
          "retention", "Everything is kept: \(Format.bytes(used)), with \(Format.bytes(free)) left on the disk.",
          "Set a limit: automobile retention --days 30 --size 20GB"))
    } else {
      let deleted = retention?["deletedSessions"]?.int ?? 0
      let projects = (try? await client.get("/api/projects"))?["projects"]?.array ?? []
      let shorter = projects.count { ($0["days"]?.int).map { $0 < retention?["days"]?.int ?? .max } ?? false }
      checks.append(
        .ok(
          "retention",
          "Sessions are kept \(kept.isEmpty ? "forever" : kept.joined(separator: ", "))"
            + (shorter > 0 ? ", those of \(Format.plural(shorter, "project")) for less" : "")
            + "; \(Format.bytes(used)) in use"
            + (deleted > 0 ? "; \(Format.plural(deleted, "session")) deleted since it started." : ".")))
    }
  }

  private mutating func arrivals() async {
    guard let events = try? await client.get("/api/events", [("limit", "100")])["events"]?.array else { return }
    guard let newest = events.compactMap({ $0["receivedAt"]?.integer }).max() else {
      checks.append(
        .warning(
          "arrivals", "Nothing received yet.", Self.firstSteps(client.url.absoluteString)))
      return
    }
    checks.append(.ok("arrivals", "The newest event arrived \(Format.ago(newest, now: WallClock.now))."))
    // An event cannot arrive before it happened; a second is allowed for clocks that are merely not exact.
    let ahead =
      events.compactMap { event -> Int64? in
        guard let received = event["receivedAt"]?.integer, let happened = event["timestamp"]?.integer else {
          return nil
        }
        return happened.subtractingClamped(received)
      }.max() ?? 0
    if ahead > 1000 {
      checks.append(
        .warning(
          "device clock", "Events arrive \(Format.duration(milliseconds: Double(ahead))) before they happened.",
          "A device's clock is ahead."))
    }
  }

  /// What an app needs, as the README and the viewer say it too.
  static func firstSteps(_ url: String) -> String {
    """
    In the app, as early as you can:
      import AutoMobileSDK
      AutoMobileCrashes.shared.enableSignalHandlers([.standard, .trap])
      AutoMobileSDK.shared.initialize(
        bundleId: "com.example.app",
        configuration: AutoMobileConfiguration(endpoint: URL(string: "\(url)")))
      AutoMobileNetwork.shared.startInterception()
    A release build without an endpoint delivers nowhere. Or run the demo: make demo
    """
  }

  // MARK: Is there room?

  private mutating func disk() {
    guard FileManager.default.fileExists(atPath: data.path) else { return }
    var status = statvfs()
    guard statvfs(data.path, &status) == 0 else { return }
    let free = Double(status.f_bavail) * Double(status.f_frsize)
    let text = "\(Format.bytes(Int(free))) are free for \(data.path)."
    checks.append(
      free > 1e9 ? .ok("disk", text) : .problem("disk", text, "Below 1 GB: make room, or move the data with --data."))
  }
}
