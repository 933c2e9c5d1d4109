import Foundation
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `When S3 says no` {
  private static func problem(_ body: () async throws -> Void) async -> BlobError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? BlobError
    }
  }

  @Test func `it is said what is wrong, and what to do`() async throws {
    let server = try await S3Server.shared
    let settings = try server.settings()
    let key = S3Server.credentials
    let wrongSecret = S3Blobs(settings, credentials: .init(accessKey: key.accessKey, secretKey: "something else"))
    let secret = try #require(await Self.problem { try await wrongSecret.check() })
    #expect(secret.kind == .refused && secret.description.contains("AWS_SECRET_ACCESS_KEY"), "\(secret)")
    #expect(!secret.description.contains("something else"))
    let unknown = S3Blobs(settings, credentials: .init(accessKey: "AKIANOBODY", secretKey: key.secretKey))
    let nobody = try #require(await Self.problem { try await unknown.check() })
    #expect(nobody.kind == .refused && nobody.description.contains("access key"), "\(nobody)")
    let missing = try #require(await Self.problem { try await server.client(bucket: "no-bucket").check() })
    #expect(missing.kind == .refused && missing.description.contains("there is no bucket no-bucket"), "\(missing)")
    var late = S3Client(settings: settings, credentials: key)
    late.clock = { Date(timeIntervalSinceNow: 3600) }
    let skew = try #require(await Self.problem { try await S3Blobs(client: late).check() })
    #expect(skew.kind == .refused && skew.description.contains("clock is 60 minutes ahead"), "\(skew)")
    try await server.client().check()
  }

  @Test func `nobody there is no refusal`() async throws {
    let listener = try LoopbackListener { _ in }
    listener.stop()
    let settings = try S3Settings("s3://bucket?endpoint=http://127.0.0.1:\(listener.port)")
    var client = S3Client(settings: settings, credentials: S3Server.credentials)
    client.patience.pause = 0.01
    let error = try #require(await Self.problem { try await S3Blobs(client: client).check() })
    #expect(error.kind == .unavailable && error.description.contains("does not answer"), "\(error)")
  }

  /// The same name and bytes, with what a server says of itself when it is too busy.
  @Test func `a busy store is asked again, and not for ever`() async throws {
    let busy = "<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>"
    let patient = try CannedServer { number in
      number < 2 ? .text("503 Slow Down", busy) : .text("206 Partial Content", "mobile")
    }
    defer { patient.stop() }
    let name = try #require(BlobName(.replays, "a.pack"))
    func client(_ server: CannedServer) throws -> S3Blobs {
      let settings = try S3Settings("s3://bucket/p?endpoint=http://127.0.0.1:\(server.port)")
      var client = S3Client(settings: settings, credentials: S3Server.credentials)
      client.patience.pause = 0.01
      return S3Blobs(client: client)
    }
    #expect(try await client(patient).get(name, 4..<10) == ByteBuffer(string: "mobile"))
    #expect(patient.requests.count == 3)
    #expect(patient.requests.allSatisfy { $0.hasPrefix("GET /bucket/p/replays/a.pack HTTP/1.1") })
    #expect(patient.requests.allSatisfy { !$0.contains("a secret of the test's") })
    let hopeless = try CannedServer { _ in .text("503 Slow Down", busy) }
    defer { hopeless.stop() }
    let error = try #require(await Self.problem { _ = try await client(hopeless).get(name, 0..<6) })
    #expect(error.kind == .unavailable && error.description.contains("SlowDown"))
    #expect(hopeless.requests.count == 4)
    // A redirect is not followed: nobody has named where it leads.
    let elsewhere = try CannedServer { _ in
      .init("307 Temporary Redirect", [("Location", "http://127.0.0.1:\(hopeless.port)/")], "")
    }
    defer { elsewhere.stop() }
    let refused = try #require(await Self.problem { _ = try await client(elsewhere).get(name, 0..<6) })
    #expect(refused.kind == .refused && hopeless.requests.count == 4)
  }

  @Test func `a store that writes over what is there is not taken`() async throws {
    let forgetful = try CannedServer { number in
      number == 1 ? .text("206 Partial Content", "mobile") : .text("200 OK", "")
    }
    defer { forgetful.stop() }
    let settings = try S3Settings("s3://bucket?endpoint=http://127.0.0.1:\(forgetful.port)")
    let blobs = S3Blobs(settings, credentials: S3Server.credentials)
    let error = try #require(await Self.problem { try await blobs.check() })
    #expect(error.kind == .refused && error.description.contains("writes over"))
  }

  @Test func `an upload in parts that fails leaves nothing behind`() async throws {
    let blobs = try await S3Server.shared.client()
    let name = try #require(BlobName(.symbols, "a.sym"))
    let upload = S3Upload(client: blobs.client, name: name)
    let error = await Self.problem {
      try await upload.put(3 * S3Blobs.part) { $0.lowerBound == 0 ? ByteBuffer(repeating: 1, count: $0.count) : nil }
    }
    #expect(error?.kind == .damaged)
    func uploads() async throws -> Int {
      let answer = try await blobs.client.send(
        .init(method: .GET, query: [("uploads", ""), ("prefix", blobs.client.settings.key("symbols/"))]))
      return S3Document(answer.body.readableBytesView).all("Upload").count
    }
    #expect(try await uploads() == 0)
    #expect(try await blobs.size(of: name) == nil)
    // One whose process died goes when it is old enough.
    let begun = try await blobs.client.send(.init(method: .POST, key: name.key, query: [("uploads", "")]))
    #expect(begun.status == 200)
    #expect(try await uploads() == 1)
    try await blobs.tidy()
    #expect(try await uploads() == 1)
    try await S3Upload.endAbandoned(blobs.client, before: Date(timeIntervalSinceNow: 60))
    #expect(try await uploads() == 0)
  }
}
