import AutoMobileState
import Foundation
import Testing

@testable import AutoMobileCollector

/// Whoever asks phones for somebody writes that name into the configuration.
@Suite struct `Erasing what was asked for` {
  private static let user = "ada-zq7f3kx"

  private static func ask(_ id: String, _ kind: String, _ subject: String) -> String {
    "{\"id\":\"\(id)\",\"\(kind)\":\"\(subject)\",\"reason\":\"about \(subject)\"}"
  }

  private static func document(_ asks: [String], beside: String = "") -> String {
    "{\"upload\":{\"schema\":1,\"mode\":\"whenTriggered\",\"asks\":[\(asks.joined(separator: ","))]}\(beside)}"
  }

  private static func asks(_ document: JSONValue) -> [String] {
    document["upload"]["asks"].array.compactMap { $0["id"].string }
  }

  private static func receipt(_ erasure: JSONValue) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(try #require(erasure["receipt"].string).utf8))
  }

  @Test func `asks for somebody go with them, from documents, their history and what apps get`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "\(Self.user)-session", user: Self.user)
      batch.addLog("hello")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      let asks = [
        Self.ask("1", "user", Self.user), Self.ask("2", "user", "bob"), Self.ask("3", "device", Self.user),
        Self.ask("4", "session", "\(Self.user)-session"),
      ]
      try await collector.put("*", Self.document(asks))
      try await collector.put("*", Self.document(Array(asks.prefix(2)), beside: ",\"sampling\":{\"sessionRate\":0.5}"))
      try await collector.put("dev.example.bank", Self.document([Self.ask("5", "user", Self.user)]))
      let before = try await collector.get("/sdk-config?bundleId=dev.example.bank").json()
      #expect(Self.asks(before) == ["5"])

      let erasure = try await collector.erase("{\"user\":\"\(Self.user)\"}")
      for (bundle, left) in [("dev.example.bank", []), ("dev.example.shop", ["2"])] as [(String, [String])] {
        let told = try await collector.get("/sdk-config?bundleId=\(bundle)").json()
        #expect(Self.asks(told) == left && told["version"].int ?? 0 > before["version"].int ?? .max, "\(bundle)")
        #expect(told["sampling"]["sessionRate"] == .number(0.5))
      }
      let history = try await collector.json("/api/config/*/history")["changes"].array
      #expect(history.map { Self.asks($0["document"]) } == [["2"], ["2"], ["2", "3"]], "\(history)")
      let receipt = try Self.receipt(erasure)
      // Of the two documents one each, and four in what was before.
      #expect(receipt["removed"]["asksInConfiguration"].int == 6)
      // That a device has the same name is another matter: it is told.
      let remains = receipt["remains"].array.first { $0["what"].string == "configuration" }
      #expect(remains?["count"].int == 1)
    }
    try await RunningCollector.with(directory: directory.url) { collector in
      _ = try await collector.erase("{\"device\":\"\(Self.user)\"}")
      let history = try await collector.json("/api/config/*/history")["changes"].array
      #expect(history.map { Self.asks($0["document"]) } == [["2"], ["2"], ["2"]])
    }
    #expect(try FileSearch.files(in: directory.url, with: Self.user) == [])
  }

  @Test func `an erasure within a project leaves alone what is set for others, and says so`() async throws {
    try await RunningCollector.with { collector in
      let document = Self.document([Self.ask("1", "user", Self.user)])
      for bundle in ["*", "dev.example.shop", "dev.example.shop.widget", "dev.example.shopping"] {
        try await collector.put(bundle, document)
      }
      let erasure = try await collector.erase("{\"user\":\"\(Self.user)\",\"project\":\"dev.example.shop\"}")
      for (bundle, left) in [
        ("*", ["1"]), ("dev.example.shop", []), ("dev.example.shop.widget", []), ("dev.example.shopping", ["1"]),
      ] as [(String, [String])] {
        #expect(Self.asks(try await collector.json("/api/config/\(bundle)")["document"]) == left, "\(bundle)")
      }
      let remains = try Self.receipt(erasure)["remains"].array.first { $0["what"].string == "configuration" }
      #expect(remains?["count"].int == 2)
    }
  }

  @Test func `an alert about a route goes with it, and one about a host that ends like it stays`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s", user: Self.user)
      batch.add(
        .event,
        """
        {"eventType":"network_request","timestamp":1700000000000,"contextId":1,"url":"https://api.example/x","method":"GET",\
        "statusCode":500,"durationMs":12}
        """)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      let state = collector.collector.state
      try await state.write { state in
        for subject in ["GET api.example/x", "POST api.example/x", "GET myapi.example/x", "api.example/x"] {
          try state.execute(
            "INSERT INTO alert_log(rule, at, event, subject, alert) VALUES (1, 1, 'firing', ?1, '{}')", subject)
          try state.execute(
            "INSERT INTO alert_state(rule, subject, firing, since, held, waiting) VALUES (1, ?1, 1, 1, 1, '{}')",
            subject)
        }
      }
      _ = try await collector.erase("{\"user\":\"\(Self.user)\"}")
      let (left, waiting) = try await state.read { state in
        (
          try state.rows("SELECT subject FROM alert_log ORDER BY id"),
          try state.rows("SELECT subject FROM alert_state WHERE waiting IS NOT NULL ORDER BY subject")
        )
      }
      let expected = ["GET myapi.example/x", "api.example/x"].map { StateRow([.text($0)]) }
      #expect(left == expected && waiting == expected)
    }
  }
}
