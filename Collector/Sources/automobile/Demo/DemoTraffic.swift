import Foundation

/// What has come over the network, as the collector counts it.
enum DemoTraffic {
  private static let counters = ["automobile_ingest_received_bytes_total", "automobile_replay_bytes_total"]

  /// Bytes of the bodies that were taken, as they came; nil when the collector does not say.
  static func read(_ client: CollectorClient) async -> Int? {
    guard let answer = try? await client.raw("/metrics"), answer.status == 200 else { return nil }
    return bytes(in: String(buffer: answer.body))
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
