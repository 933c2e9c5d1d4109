import Foundation

/// What has come over the network, as the collector counts it.
enum DemoTraffic {
  private static let counters = ["automobile_ingest_received_bytes_total", "automobile_replay_bytes_total"]

  /// Bytes of the bodies that were taken, as they came; nil when the collector does not say.
  static func read(_ client: CollectorClient) async -> Int? {
    guard let answer = try? await client.raw("/metrics"), answer.status == 200 else { return nil }
    return bytes(in: String(buffer: answer.body))
  }

  /// The same when nothing more has come for two seconds; after ten in any case.
  static func settled(_ client: CollectorClient) async throws -> Int? {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(10)
    var (bytes, since) = (await read(client), clock.now)
    while clock.now < deadline, clock.now < since + .seconds(2) {
      try await Task.sleep(for: .milliseconds(200))
      let now = await read(client)
      if now != bytes { (bytes, since) = (now, clock.now) }
    }
    return bytes
  }

  /// In the text format of Prometheus: a name and a number on each line.
  static func bytes(in metrics: String) -> Int? {
    let values = metrics.split(separator: "\n").compactMap { line -> Int? in
      let words = line.split(separator: " ")
      guard words.count == 2, counters.contains(String(words[0])) else { return nil }
      return Double(words[1]).flatMap { Int(exactly: $0) }
    }
    return values.isEmpty ? nil : values.reduce(0, +)
  }
}
