import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Asks of several projects` {
  private static let all = [("Authorization", "Bearer operator-secret")]

  /// A collector with projects of these names, and a key of an operator of each.
  private static func with(
    _ bundles: [String],
    _ body: @escaping @Sendable (RunningCollector, _ operators: [[(String, String)]]) async throws -> Void
  ) async throws {
    try await RunningCollector.with {
      $0.ingestKeys = ["started-with-1"]
      $0.operatorKeys = ["operator-secret"]
    } _: { collector in
      var keys: [[(String, String)]] = []
      for bundle in bundles {
        let made = try await collector.post(
          "/api/projects", "{\"name\":\"\(bundle)\",\"bundleId\":\"\(bundle)\"}", headers: all)
        let project = try #require(try made.json()["id"].int)
        let key = try await collector.post(
          "/api/keys", "{\"project\":\(project),\"role\":\"operator\"}", headers: all)
        keys.append([("Authorization", "Bearer \(try #require(try key.json()["key"].string))")])
      }
      try await body(collector, keys)
    }
  }

  private static func ask(_ bundle: String, _ user: String = "ada") -> String {
    #"{"bundleId":"\#(bundle)","user":"\#(user)","reason":"r"}"#
  }

  @Test func `an erasure in a project neither removes nor tells what is asked for in one within its name`() async throws
  {
    try await Self.with(["com.a", "com.a.b"]) { collector, operators in
      let (outer, inner) = (operators[0], operators[1])
      #expect(try await collector.askDevices(Self.ask("com.a.b"), headers: inner).status == 200)
      let document = #"{"upload":{"asks":[{"id":"1","user":"ada"}]}}"#
      let written = try await collector.send(
        .PUT, "/api/config/com.a.b", headers: inner + [("Content-Type", "application/json")],
        body: ByteBuffer(string: document))
      #expect(written.status == 200, "\(written.text)")
      let erasure = try await collector.erase(#"{"user":"ada","project":"com.a"}"#, headers: outer)
      #expect(erasure["receipt"].string?.contains("\"ask\":1") == false, "\(erasure)")
      let left = try await collector.get("/api/asks", headers: inner).json()["asks"].array
      #expect(left.map(\.["subject"].string) == ["ada"])
      let config = try await collector.get("/api/config/com.a.b", headers: inner).json()
      #expect(config["document"]["upload"]["asks"].array.count == 1)
      // Within its own project it goes.
      _ = try await collector.erase(#"{"user":"ada","project":"com.a.b"}"#, headers: inner)
      #expect(try await collector.get("/api/asks", headers: inner).json()["asks"].array.isEmpty)
    }
  }

  @Test func `made-up names within a project do not take the room of others`() async throws {
    try await Self.with(["com.a", "com.c"]) { collector, operators in
      for number in 0..<AskRules.mostOfApp {
        let asked = try await collector.askDevices(Self.ask("com.a.x\(number)"), headers: operators[0])
        #expect(asked.status == 200, "\(asked.text)")
      }
      #expect(try await collector.askDevices(Self.ask("com.a.more"), headers: operators[0]).errorCode == "too_many")
      #expect(try await collector.askDevices(Self.ask("com.a"), headers: operators[0]).errorCode == "too_many")
      #expect(try await collector.askDevices(Self.ask("com.c"), headers: operators[1]).status == 200)
    }
  }

  @Test func `what one project withdraws pushes nothing out of another one's list`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      for (number, bundle) in ["com.c", "com.a", "com.a.x", "com.a.y", "com.a", "com.a.b"].enumerated() {
        _ = try await collector.asked(Self.ask(bundle, "u\(number)"))
        #expect(try await collector.send(.DELETE, "/api/asks/\(number + 1)").status == 200)
      }
    }
    let lone = try LoneAsks(directory.url)
    defer { lone.asks.stop() }
    try await lone.store.state.write {
      try AskTables.purge(before: 0, beyond: 2, ["com.a", "com.a.b", "com.c"], in: $0)
    }
    let left = try await lone.store.state.read { try AskTables.page(AskTables.Filter(), in: $0) }
    #expect(left.map(\.bundle) == ["com.a.b", "com.a", "com.a.y", "com.c"])
  }
}
