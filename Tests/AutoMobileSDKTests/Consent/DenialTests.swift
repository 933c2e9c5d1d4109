#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import AutoMobileSDK

/// Consent, seen from outside: a whole app is run, and its directory and its connections are looked at.
@Suite struct `An app whose user says no` {
  private let container: TemporaryDirectory
  private let recordings: URL
  private let log: URL
  private let store: URL

  init() throws {
    container = try TemporaryDirectory()
    recordings = container.file("recordings")
    log = container.file("log")
    store = container.file("defaults.json")
    try FileManager.default.createDirectory(at: log, withIntermediateDirectories: true)
    try Data(#"{"version":1,"isOn":true}"#.utf8).write(to: log.appendingPathComponent("switch.json"))
  }

  private func names(_ directory: URL) -> [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []).sorted()
  }

  private var stored: [String: String] {
    (try? Data(contentsOf: store)).flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
  }

  @Test func `has nothing left in its container, and nobody is ever told of what was there`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    // Two launches that record while nobody has been asked: one crashes, the other is killed.
    let crashed = try await ScriptedApp.play(
      in: recordings, endpoint: collector.url, store: store, "signals", "init=pending", "started", "user=ada",
      "events=200", "crash")
    #expect(crashed.status == SIGSEGV)
    let second = try ScriptedApp(
      in: recordings, endpoint: collector.url, store: store,
      [
        "signals", "init=pending", "started", "log=\(log.path)", "request=\(collector.url)/health", "events=200",
        "wait=60000",
      ])
    #expect(await eventually { second.lines.contains("events=200") })
    second.run.kill()
    _ = await second.run.status()
    let own = collector.requests.count
    #expect(collector.requests.allSatisfy { $0.path == "/health" }, "the app's own request")
    for suffix in [".journal", ".crash"] { #expect(names(recordings).contains { $0.hasSuffix(suffix) }) }
    #expect(names(log).contains { $0.hasSuffix(".journal") })
    #expect(stored["automobile:identity:userId"] == "ada")
    // The third says no, and crashes.
    let third = try await ScriptedApp.play(
      in: recordings, endpoint: collector.url, store: store, "signals", "init=pending", "started", "log=\(log.path)",
      "event=before", "consent=denied", "event=after", "look", "crash")
    #expect(third.lines.contains("look denied memory user= id= crash="))
    #expect(names(recordings).isEmpty, "\(names(recordings))")
    #expect(names(log).filter { !$0.hasPrefix("records") || $0.contains("/") } == ["denied", "switch.json"])
    #expect(stored["automobile:identity:userId"] == nil && stored["automobile:identity:anonymousId"] == nil)
    // The fourth is off from the beginning, without having been told; it crashes as well.
    let fourth = try await ScriptedApp.play(
      in: recordings, endpoint: collector.url, store: store, "signals", "init=pending", "log=\(log.path)",
      "event=never",
      "request=\(collector.url)/health", "look", "wait=1500", "crash")
    #expect(fourth.status == SIGSEGV && fourth.lines.contains("look denied memory user= id= crash="))
    #expect(names(recordings).isEmpty, "\(names(recordings))")
    #expect(collector.requests.count == own + 1 && collector.requests.allSatisfy { $0.path == "/health" })
    // The fifth is allowed again: nothing of all that is told.
    _ = try await ScriptedApp.play(
      in: recordings, endpoint: collector.url, store: store, "init", "consent=granted", "log=\(log.path)",
      "request=\(collector.url)/health", "event=allowed", "deliver")
    let sent = collector.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
    #expect(collector.events.contains { $0["name"] as? String == "allowed" })
    #expect(
      !collector.events.contains { ["crash", "hang"].contains($0["eventType"] as? String) }, "no crash of theirs")
    #expect(collector.events.filter { $0["eventType"] as? String == "custom" }.count == 1)
    #expect(!sent.contains("ada"))
    #expect(!names(log).contains("denied") && names(log).contains { $0.hasSuffix(".journal") })
  }

  @Test func `and who is killed while it erases has erased it at the next start`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    for delay in [0, 1, 3, 10] {
      let app = try ScriptedApp(
        in: recordings, endpoint: collector.url,
        ["init=pending", "started", "events=2000", "say-consent=denied", "wait=\(delay)", "crash"])
      _ = await app.run.status()
      let next = try await ScriptedApp.play(
        in: recordings, endpoint: collector.url, "init=pending", "event=x", "wait=300", "await-erased", "look")
      // It had not said it yet when it died, or it is denied for good.
      guard next.lines.contains(where: { $0.hasPrefix("look denied") }) else { continue }
      #expect(names(recordings).isEmpty, "\(delay): \(names(recordings))")
      try FileManager.default.removeItem(at: container.file("recordings.consent"))
    }
    #expect(collector.connectionCount == 0)
  }

  @Test func `switched off from the beginning nobody hears of it, nor of its crash when it is on again`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let off = try await ScriptedApp.play(
      in: recordings, endpoint: collector.url, "off", "signals", "init", "event=never", "wait=1500", "crash")
    #expect(off.status == SIGSEGV && collector.connectionCount == 0 && names(recordings).isEmpty)
    _ = try await ScriptedApp.play(in: recordings, endpoint: collector.url, "init", "event=now", "deliver")
    #expect(collector.events.contains { $0["name"] as? String == "now" })
    #expect(!collector.events.contains { $0["eventType"] as? String == "crash" })
  }
}

/// Who wants to be forgotten goes on with the app.
@Suite struct `An app whose data is erased` {
  @Test func `still tells of its crash afterwards, and of nothing before`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let recordings = try TemporaryDirectory()
    let url = recordings.file("recordings")
    let app = try await ScriptedApp.play(
      in: url, endpoint: collector.url, "signals", "init=pending", "started", "event=before", "erase", "event=after",
      "crash")
    #expect(app.status == SIGSEGV)
    _ = try await ScriptedApp.play(in: url, endpoint: collector.url, "init", "started", "wait=500", "deliver")
    #expect(collector.events.contains { $0["eventType"] as? String == "crash" })
    #expect(collector.events.contains { $0["name"] as? String == "after" })
    #expect(!collector.events.contains { $0["name"] as? String == "before" })
  }
}

/// An erasure is a promise that the next launch keeps, should this one die.
@Suite struct `An app that is killed while it erases` {
  @Test func `has erased it before the next launch sends anything`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let container = try TemporaryDirectory()
    let (recordings, store) = (container.file("recordings"), container.file("defaults.json"))
    let consent = container.file("recordings.consent")
    var isErasing: Bool { (try? Data(contentsOf: consent))?.range(of: Data("erasing".utf8)) != nil }
    let app = try ScriptedApp(
      in: recordings, endpoint: collector.url, store: store,
      ["init=pending", "started", "user=ada", "events=200", "hold-erasures", "say-erase", "wait=60000"])
    #expect(await eventually { isErasing })
    app.run.kill()
    _ = await app.run.status()
    let left = try FileManager.default.contentsOfDirectory(atPath: recordings.path)
    #expect(left.contains { $0.hasSuffix(".journal") } && collector.connectionCount == 0)
    let next = try await ScriptedApp.play(
      in: recordings, endpoint: collector.url, store: store, "init", "event=after", "await-erased", "wait=500",
      "deliver")
    #expect(next.status == 0)
    let custom = collector.events.filter { $0["eventType"] as? String == "custom" }
    #expect(custom.map { $0["name"] as? String } == ["after"])
    #expect(!collector.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("ada") })
    #expect(!isErasing, "and that is over")
  }
}

/// What this launch knows of earlier ones is forgotten, too.
@Suite struct `An app that has crashed before` {
  @Test(arguments: ["erase", "consent=denied"])
  func `knows nothing of that once everything is erased`(act: String) async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let container = try TemporaryDirectory()
    let url = container.file("recordings")
    _ = try await ScriptedApp.play(in: url, endpoint: collector.url, "signals", "init=pending", "started", "crash")
    let next = try await ScriptedApp.play(
      in: url, endpoint: collector.url, "signals", "init=pending", "started", "wait=300", "look", act, "look")
    let looks = next.lines.filter { $0.hasPrefix("look ") }
    #expect(looks.count == 2 && looks.first?.hasSuffix("crash=SIGSEGV") == true, "\(next.lines)")
    #expect(looks.last?.hasSuffix("crash=") == true, "\(looks)")
  }
}

/// Who has logged out does not come back.
@Suite struct `Logging out` {
  @Test(arguments: ["logout", "logout-by-context", "reset-context", "erase"])
  func `is remembered over three launches`(way: String) async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let container = try TemporaryDirectory()
    let (recordings, store) = (container.file("recordings"), container.file("defaults.json"))
    func launch(_ acts: String...) async throws {
      let app = try ScriptedApp(in: recordings, endpoint: collector.url, store: store, acts + ["deliver"])
      #expect(await app.run.status() == 0)
    }
    func user(of event: String) -> String?? {
      collector.events.last { $0["name"] as? String == event }
        .map { ($0["context"] as? [String: Any])?["userId"] as? String }
    }
    try await launch("init", "user=ada", "event=first")
    try await launch("init", "event=known", way, "event=gone")
    try await launch("init", "event=third")
    #expect(user(of: "first") == .some("ada"))
    // What had not been delivered is erased with the rest.
    #expect(way == "erase" || user(of: "known") == .some("ada"))
    #expect(user(of: "gone") == .some(nil) && user(of: "third") == .some(nil))
    #expect(try !String(decoding: Data(contentsOf: store), as: UTF8.self).contains("ada"))
  }

  @Test func `holds also for a launch that is off`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let container = try TemporaryDirectory()
    let (recordings, store) = (container.file("recordings"), container.file("defaults.json"))
    for acts in [
      ["init", "user=ada", "event=first", "deliver"], ["off", "init", "logout", "wait=200"],
      ["init", "event=third", "deliver"],
    ] {
      #expect(await (try ScriptedApp(in: recordings, endpoint: collector.url, store: store, acts)).run.status() == 0)
    }
    let third = collector.events.last { $0["name"] as? String == "third" }
    #expect(third != nil && (third?["context"] as? [String: Any])?["userId"] == nil)
  }
}
#endif
