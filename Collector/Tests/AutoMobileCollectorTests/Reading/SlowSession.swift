import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

/// A session that is slow to search: each of its events almost holds what is looked for, everywhere.
enum SlowSession {
  static let name = "s-slow"
  /// Some tenths of a second for each event.
  static let question = "/api/sessions/\(name)/events?q=\(String(repeating: "a", count: 250))b"
  static let events = 120

  /// Two deliveries: one alone would be too large.
  static var batches: [RawBatch] {
    var first = RawBatch()
    first.addContext(1, session: name)
    for _ in 0..<events / 2 { first.addLog(text) }
    var second = RawBatch(launch: first.launch, from: first.position)
    for _ in 0..<events / 2 { second.addLog(text) }
    return [first, second]
  }

  private static let text = String(repeating: "a", count: 100_000)

  static func add(to collector: RunningCollector) async throws {
    let batches = batches
    for batch in batches { try #require(await collector.post(raw: batch).status == 200) }
    try await collector.waitForLaunch(batches[0].launch, stored: events)
  }
}

extension RunningCollector {
  /// The value of a gauge.
  func metric(_ name: String) async throws -> Int {
    let line = try await get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return Int(line?.split(separator: " ").last ?? "") ?? -1
  }

  /// Asks until a gauge has a value, for so many seconds at most.
  func wait(for metric: String, _ value: Int, seconds: Double = 90) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var last = try await self.metric(metric)
    while last != value {
      try #require(ContinuousClock.now < deadline, "\(metric) is \(last), not \(value)")
      try await Task.sleep(for: .milliseconds(10))
      last = try await self.metric(metric)
    }
  }

  /// A connection that has asked, and reads nothing yet.
  func ask(_ path: String) async throws -> RawSocket {
    let socket = try RawSocket(port: port)
    await socket.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return socket
  }
}
