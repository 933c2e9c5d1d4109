import AsyncHTTPClient
import AutoMobileCollector
import Foundation
import NIOCore
import Testing

@testable import automobile

/// A collector that `automobile serve` runs on a port of the system's choice, with a directory of its own.
struct Served {
  let running: Tool.Running
  let url: String
  let directory: URL
  var key: String?

  static func with<T>(
    key: String? = nil, operatorKey: String? = nil, _ body: (Served) async throws -> T
  ) async throws -> T {
    let directory = FileManager.default.temporaryDirectory.appending(path: "served-\(UUID().uuidString)")
    let keys = (key.map { ["--key", $0] } ?? []) + (operatorKey.map { ["--operator-key", $0] } ?? [])
    let arguments = ["serve", "--port", "0", "--data", directory.path, "--json"] + keys
    let running = try Tool.start(arguments)
    defer {
      running.process.terminate()
      running.process.waitUntilExit()
      try? FileManager.default.removeItem(at: directory)
    }
    let place = try JSON(text: try #require(await running.output.line()))
    let url = try #require(place["url"]?.string)
    return try await body(Served(running: running, url: url, directory: directory, key: key))
  }

  /// Delivers events in the envelope format, and waits until they can be read.
  func deliver(
    _ events: [JSON], launch: UUID = UUID(), final: Bool = true, bundle: String = "com.example.cli",
    dropped: [String: Int] = [:], kept: Int? = nil
  ) async throws {
    var items: [JSON] = []
    for (index, event) in events.enumerated() {
      // As the SDK writes it: slashes as they are.
      let encoder = JSONEncoder()
      encoder.outputFormatting = .withoutEscapingSlashes
      let data = try encoder.encode(event)
      items.append([
        "eventType": event["eventType"] ?? "custom", "payload": .string(data.base64EncodedString()),
        "sequence": JSON((index + 1) * 128),
      ])
    }
    let recorded = events.count + dropped.values.reduce(0, +) + (kept ?? 0)
    var ledger: [String: JSON] = [
      "recorded": JSON(recorded), "dropped": .object(dropped.mapValues { JSON($0) }), "torn": 0, "final": .bool(final),
    ]
    ledger["kept"] = kept.map { JSON($0) }
    let body: JSON = [
      "bundleId": .string(bundle), "launchId": .string(launch.uuidString), "timestamp": .integer(WallClock.now),
      "ledger": .object(ledger), "events": .array(items),
    ]
    var request = HTTPClientRequest(url: url + "sdk-events")
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/json")
    if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
    request.body = .bytes(ByteBuffer(data: try JSONEncoder().encode(body)))
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    #expect(response.status == .ok)
    _ = try await response.body.collect(upTo: 1 << 20)

    let client = CollectorClient(url: try #require(URL(string: String(url.dropLast()))), key: key)
    let deadline = ContinuousClock.now + .seconds(90)
    while true {
      let launches = try await client.get("/api/launches")["launches"]?.array ?? []
      let stored = launches.first { $0["launchId"]?.string == launch.uuidString }?["stored"]?.int
      if stored == events.count { return }
      try #require(ContinuousClock.now < deadline, "the events were not indexed in time")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// One event of a session.
  static func event(
    _ type: String, _ members: JSON = [:], session: String = "11111111-AAAA", user: String = "kim@example.com",
    at timestamp: Int64 = 1_790_000_000_000
  ) -> JSON {
    var event = members.object ?? [:]
    event["eventType"] = .string(type)
    event["timestamp"] = .integer(timestamp)
    event["sessionId"] = .string(session)
    event["context"] = [
      "sessionId": .string(session), "userId": .string(user), "appVersion": "3.1.4", "tags": ["plan": "pro"],
    ]
    return .object(event)
  }
}
