import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Who may record replays` {
  private static let operatorKey = [("Authorization", "Bearer operator-secret")]

  private static func with(
    _ body: @escaping @Sendable (RunningCollector, _ key: (id: Int, secret: String)) async throws -> Void
  ) async throws {
    try await RunningCollector.with {
      $0.ingestKeys = ["legacy-key-1"]
      $0.operatorKeys = ["operator-secret"]
    } _: { collector in
      let made = try await collector.post(
        "/api/projects", "{\"name\":\"Shop\",\"bundleId\":\"dev.example.shop\"}", headers: operatorKey)
      let project = try #require(try made.json()["id"].int)
      let key = try await collector.post("/api/keys", "{\"project\":\(project)}", headers: operatorKey).json()
      try await body(collector, (try #require(key["id"].int), try #require(key["key"].string)))
    }
  }

  private static func token(_ collector: RunningCollector, _ headers: [(String, String)]) async throws
    -> RunningCollector.Answer
  {
    try await collector.post("/api/ingest/auth/device", "{\"deviceId\":\"d-1\",\"metadata\":{}}", headers: headers)
  }

  @Test func `a project's key gives out tokens, which deliver for its app and read nothing`() async throws {
    try await Self.with { collector, key in
      let answer = try await Self.token(collector, [("x-public-key", key.secret), ("x-bundle-id", "dev.example.shop")])
      #expect(answer.status == 200, "\(answer.text)")
      let token = try #require(try answer.json()["uploadToken"].string)
      #expect(try answer.json()["expiresIn"].int == 3600)
      let sender = ReplaySender(collector: collector, sessions: ["s"], bundle: nil, token: token)
      #expect(try await sender.upload(ReplaySender.Segment("x")) == [200, 204, 200])
      let read = [("Authorization", "Bearer \(token)")]
      for path in ["/api/sessions", "/api/replays/\(sender.replay)", "/api/projects", "/metrics"] {
        let answer = try await collector.get(path, headers: read)
        #expect(answer.status == 403 && answer.errorCode == "upload_only", "\(path)")
      }
      let change = try await collector.replace("/api/config/%2A", with: "{}", headers: read)
      #expect(change.status == 403 && change.errorCode == "not_operator")
      let replay = try await collector.get(
        "/api/replays/\(sender.replay)", headers: [("X-API-Key", "legacy-key-1")]
      ).json()
      #expect(replay["bundleId"].string == "dev.example.shop")
      // A key that is ended takes its tokens with it.
      _ = try await collector.send(.DELETE, "/api/keys/\(key.id)", headers: Self.operatorKey)
      let late = try await sender.presign(ReplaySender.Segment("y", at: 3))
      #expect(late.status == 401 && late.errorCode == "token_expired")
    }
  }

  @Test func `without a key, with a wrong one, or for another app nothing is taken`() async throws {
    try await Self.with { collector, key in
      #expect(try await Self.token(collector, []).status == 401)
      #expect(try await Self.token(collector, [("x-public-key", "wrong-key")]).status == 401)
      let other = [("x-public-key", key.secret), ("x-bundle-id", "dev.example.other")]
      #expect(try await Self.token(collector, other).errorCode == "wrong_app")
      #expect(try await collector.get("/api/sdk/config", headers: other).status == 403)
      #expect(try await collector.get("/api/sdk/config").status == 401)
      var forged = ReplaySender(collector: collector, bundle: nil)
      for token in [
        "am_upload_", "am_upload_e30=.00", "am_upload_\(String(repeating: "A", count: 2000))", "am_upload_..",
      ] {
        forged.token = token
        #expect(try await forged.presign(ReplaySender.Segment("x")).status == 401)
      }
      // What another app has announced is not put, completed or ended.
      let mine = ReplaySender(collector: collector, bundle: "dev.example.shop", token: key.secret)
      let segment = ReplaySender.Segment("mine")
      _ = try await mine.presign(segment)
      let theirs = ReplaySender(
        collector: collector, replay: mine.replay, bundle: "dev.example.other", token: "legacy-key-1")
      #expect(try await theirs.put(segment.id, segment.body).errorCode == "unknown_segment")
      #expect(try await theirs.complete(segment).errorCode == "unknown_segment")
      // A replay of the same name is another one.
      #expect(try await theirs.upload(ReplaySender.Segment("theirs", at: 2)) == [200, 204, 200])
      let reader = [("X-API-Key", "legacy-key-1")]
      let replay = try await collector.get("/api/replays/\(mine.replay)", headers: reader).json()
      #expect(replay["bundleId"].string == "dev.example.shop" && replay["segments"].array.isEmpty)
    }
  }

  @Test func `tokens are over after their time, and none is made by guessing`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let tokens = try UploadTokens(store.state)
    let claim = UploadTokens.Claim(
      key: 7, app: DeliveringApp(owner: .app("dev.example"), bundleId: "dev.example.ü"), expires: 1000)
    let token = tokens.token(claim)
    #expect(tokens.claim(token, at: 999) == claim)
    #expect(tokens.claim(token, at: 1000) == nil)
    for index in token.indices where token[index] != "=" {
      var other = token
      other.replaceSubrange(index...index, with: token[index] == "0" ? "1" : "0")
      #expect(tokens.claim(other, at: 0) == nil || tokens.claim(other, at: 0) == claim)
    }
    // The same after a start.
    #expect(try UploadTokens(store.state).claim(token, at: 0) == claim)
    try store.close()
  }

  @Test func `codes are those of RFC 4231`() {
    func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    #expect(
      hex(SHA256.code(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      hex(SHA256.code([UInt8](repeating: 0xDD, count: 50), key: [UInt8](repeating: 0xAA, count: 20)))
        == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
  }

  @Test func `the configuration says what may be recorded, and the quota ends it`() async throws {
    try await RunningCollector.with { collector in
      let app = [("x-bundle-id", "dev.example.shop")]
      func config() async throws -> JSONValue { try await collector.get("/api/sdk/config", headers: app).json() }
      let standard = try await config()
      #expect(standard["recordingEnabled"].bool == true && standard["sampleRate"].int == 100)
      #expect(standard["textInputMasking"].string == "all" && standard["billingBlocked"].bool == false)
      let document = """
        {"replay":{"sampleRate":12.5,"recordingFps":1,"textInputMasking":"secure_only","imageVideoMasking":"all","quotaBytes":60}}
        """
      #expect(try await collector.replace("/api/config/dev.example.shop", with: document).status == 200)
      let own = try await config()
      #expect(own["sampleRate"].double == 12.5 && own["imageVideoMasking"].string == "all")
      let sender = ReplaySender(collector: collector)
      #expect(try await sender.upload(ReplaySender.Segment("one", at: 0)) == [200, 204, 200])
      #expect(try await sender.upload(ReplaySender.Segment("two", at: 2)) == [200, 204, 200])
      let refused = try await sender.presign(ReplaySender.Segment("three", at: 4))
      #expect(refused.status == 402 && refused.errorCode == "quota_exceeded")
      #expect(try await sender.presign(ReplaySender.Segment("one", at: 0)).json()["skipUpload"].bool == true)
      let off = try await collector.replace(
        "/api/config/dev.example.shop", with: "{\"replay\":{\"recordingEnabled\":false}}")
      #expect(off.status == 200)
      #expect(try await config()["recordingEnabled"].bool == false)
      #expect(try await sender.presign(ReplaySender.Segment("four", at: 6)).errorCode == "recording_disabled")
      for bad in [
        "{\"replay\":{\"sampleRate\":101}}", "{\"replay\":{\"textInputMasking\":\"some\"}}", "{\"replay\":7}",
      ] {
        #expect(try await collector.replace("/api/config/dev.example.shop", with: bad).status == 400)
      }
    }
  }
}
