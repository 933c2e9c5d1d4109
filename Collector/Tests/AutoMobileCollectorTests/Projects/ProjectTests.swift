import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Projects and keys` {
  private static let operatorKey = [("Authorization", "Bearer operator-secret")]

  private static func with(
    key: String? = "legacy-key-1", _ body: @escaping @Sendable (RunningCollector) async throws -> Void
  ) async throws {
    try await RunningCollector.with { options in
      options.ingestKeys = [key].compactMap { $0 }
      options.operatorKeys = ["operator-secret"]
    } _: {
      try await body($0)
    }
  }

  private static func make(_ collector: RunningCollector, _ body: String) async throws -> (id: Int, key: String) {
    let answer = try await collector.post("/api/keys", body, headers: operatorKey)
    #expect(answer.status == 200, "\(answer.text)")
    let json = try answer.json()
    return (try #require(json["id"].int), try #require(json["key"].string))
  }

  @Test func `a project's key delivers its app's events, and does nothing else`() async throws {
    try await Self.with { collector in
      let made = try await collector.post(
        "/api/projects", "{\"name\":\"Shop\",\"bundleId\":\"dev.example.shop\"}", headers: Self.operatorKey)
      let project = try #require(try made.json()["id"].int)
      let key = try await Self.make(collector, "{\"project\":\(project),\"name\":\"app\",\"role\":\"ingest\"}")
      let headers = [("Authorization", "Bearer \(key.key)")]
      var batch = RawBatch(bundleId: "dev.example.shop")
      batch.addLog("hello")
      #expect(try await collector.post(raw: batch, headers: headers).status == 200)
      var widget = RawBatch(bundleId: "dev.example.shop.widget")
      widget.addLog("hello")
      #expect(try await collector.post(raw: widget, headers: headers).status == 200)
      var other = RawBatch(bundleId: "dev.example.shopping")
      other.addLog("hello")
      let refused = try await collector.post(raw: other, headers: headers)
      #expect(refused.status == 403 && refused.errorCode == "wrong_app")
      for path in ["/api/sessions", "/api/health", "/metrics", "/api/projects"] {
        let answer = try await collector.get(path, headers: headers)
        #expect(answer.status == 403 && answer.errorCode == "ingest_only", "\(path)")
      }
      #expect(try await collector.get("/sdk-config?bundleId=dev.example.shop", headers: headers).status == 200)
      #expect(try await collector.replace("/api/config/%2A", with: "{}", headers: headers).status == 403)
      // What it was started with still works.
      #expect(try await collector.post(raw: other, headers: [("X-API-Key", "legacy-key-1")]).status == 200)
    }
  }

  @Test func `only a hash is kept, and the list shows the last characters`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      let made = try await collector.post("/api/keys", "{\"role\":\"viewer\",\"name\":\"CI\"}")
      let key = try #require(try made.json()["key"].string)
      #expect(key.hasPrefix("am_viewer_") && key.count == "am_viewer_".count + 32)
      let list = try await collector.get("/api/projects").text
      #expect(list.contains(String(key.suffix(4))) && !list.contains(key))
      _ = try await collector.get("/metrics")
      for name in ["index.sqlite", "index.sqlite-wal"] {
        let file = try? Data(contentsOf: directory.url.appending(path: name))
        #expect(file?.range(of: Data(key.utf8)) == nil)
      }
    }
  }

  @Test func `a rotated key stays good for a while, a revoked one is refused at once`() async throws {
    try await Self.with { collector in
      let first = try await Self.make(collector, "{\"role\":\"viewer\",\"name\":\"me\"}")
      func status(_ key: String) async throws -> Int {
        try await collector.get("/api/sessions", headers: [("X-API-Key", key)]).status
      }
      #expect(try await status(first.key) == 200)
      let rotated = try await collector.post(
        "/api/keys/\(first.id)/rotate", "{\"graceDays\":1}", headers: Self.operatorKey)
      let second = try #require(try rotated.json()["key"].string)
      #expect(try await status(first.key) == 200)
      #expect(try await status(second) == 200)
      #expect(
        try await collector.send(.DELETE, "/api/keys/\(first.id)", headers: Self.operatorKey).status == 200)
      #expect(try await status(first.key) == 401)
      #expect(try await status(second) == 200)
      let again = try await collector.post("/api/keys/\(first.id)/rotate", "{}", headers: Self.operatorKey)
      #expect(again.status == 404)
      let atOnce = try await collector.json("/api/projects", headers: Self.operatorKey)["keys"].array.last?["id"].int
      let third = try await collector.post(
        "/api/keys/\(atOnce ?? 0)/rotate", "{\"graceDays\":0}", headers: Self.operatorKey)
      #expect(third.status == 200)
      #expect(try await status(second) == 401)
    }
  }

  @Test func `removing a project ends its keys`() async throws {
    try await Self.with(key: nil) { collector in
      let made = try await collector.post(
        "/api/projects", "{\"name\":\"Shop\",\"bundleId\":\"dev.example.shop\"}", headers: Self.operatorKey)
      let project = try #require(try made.json()["id"].int)
      _ = try await Self.make(collector, "{\"project\":\(project)}")
      let removed = try await collector.send(.DELETE, "/api/projects/\(project)", headers: Self.operatorKey)
      #expect(removed.status == 200)
      let list = try await collector.json("/api/projects", headers: Self.operatorKey)
      #expect(list["projects"].array.isEmpty)
    }
  }

  @Test func `changes ask for the operator, and are refused to pages of other origins`() async throws {
    try await Self.with { collector in
      for (path, body) in [
        ("/api/projects", "{\"name\":\"x\",\"bundleId\":\"y\"}"),
        ("/api/keys", "{\"role\":\"operator\",\"name\":\"x\"}"),
      ] {
        #expect(try await collector.post(path, body).status == 401)
        #expect(try await collector.post(path, body, headers: [("X-API-Key", "legacy-key-1")]).status == 401)
        let foreign = Self.operatorKey + [("Origin", "https://evil.example")]
        #expect(try await collector.post(path, body, headers: foreign).status == 403)
        let blind = Self.operatorKey + [("Content-Type", "text/plain")]
        let answer = try await collector.send(.POST, path, headers: blind, body: ByteBuffer(string: body))
        #expect(answer.status == 415)
      }
      #expect(try await collector.replace("/api/settings/retention", with: "{\"days\":1}").status == 401)
      #expect(try await collector.send(.DELETE, "/api/projects/1").status == 401)
      // A key of that role is as good as the one from the command line.
      let own = try await Self.make(collector, "{\"role\":\"operator\",\"name\":\"second\"}")
      let answer = try await collector.replace(
        "/api/settings/retention", with: "{\"days\":3000}", headers: [("X-API-Key", own.key)])
      #expect(answer.status == 200)
    }
  }

  @Test(arguments: [
    "{\"name\":\"\",\"bundleId\":\"a.b\"}", "{\"name\":\"x\"}", "{\"name\":\"x\",\"bundleId\":\"a b\"}",
    "{\"name\":\"a\\nb\",\"bundleId\":\"a.b\"}", "[]", "{\"name\":7,\"bundleId\":\"a.b\"}",
  ])
  func `names that make no sense are refused`(body: String) async throws {
    try await RunningCollector.with { collector in
      let status = try await collector.post("/api/projects", body).status
      #expect(status == 400)
    }
  }

  @Test func `the keys of a project let a collector start for other machines`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      let made = try await collector.post("/api/projects", "{\"name\":\"Shop\",\"bundleId\":\"dev.example.shop\"}")
      let project = try #require(try made.json()["id"].int)
      #expect(try await collector.post("/api/keys", "{\"project\":\(project)}").status == 200)
    }
    try await RunningCollector.with(directory: directory.url) {
      $0.host = "0.0.0.0"
    } _: { collector in
      let (read, change) = (
        try await collector.get("/api/sessions").status,
        try await collector.post("/api/keys", "{\"role\":\"operator\"}").status
      )
      #expect(read == 401 && change == 403)
    }
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `hashes are those of the standard`(text: String, hash: String) {
    let digits = SHA256.hash(text).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    #expect(digits.joined() == hash)
  }
}

extension RunningCollector {
  func post(_ path: String, _ json: String, headers: [(String, String)] = []) async throws -> Answer {
    try await send(
      .POST, path, headers: [("Content-Type", "application/json")] + headers, body: ByteBuffer(string: json))
  }

  func json(_ path: String, headers: [(String, String)]) async throws -> JSONValue {
    try await get(path, headers: headers).json()
  }
}
