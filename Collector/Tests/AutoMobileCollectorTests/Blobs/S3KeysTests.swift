import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// What a store's refusal of a key leads to. The store here is the test's own: at which moment a key ends, no other one lets a test say.
@Suite struct `A key of an S3 store` {
  private let directory: TemporaryDirectory
  private var path: String { directory.url.appending(path: "credentials").path }

  init() throws { directory = try TemporaryDirectory() }

  private static func write(_ access: String, token: String? = nil, to path: String) {
    var text = "[other]\naws_access_key_id=no\naws_secret_access_key=no\n[team]\naws_access_key_id=\(access)\n"
    text += "aws_secret_access_key=secret-of-\(access)\n"
    if let token { text += "aws_session_token=\(token)\n" }
    do { try Data(text.utf8).write(to: URL(filePath: path)) } catch { Issue.record(error) }
  }

  private func blobs(at port: Int) throws -> S3Blobs {
    let keys = try S3Keys.find(in: ["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_PROFILE": "team"])
    var client = S3Client(
      settings: try S3Settings("s3://bucket/p?endpoint=http://127.0.0.1:\(port)"), keys: keys)
    client.patience.pause = 0.01
    return S3Blobs(client: client)
  }

  private static func refusal(_ status: String, _ code: String) -> CannedServer.Answer {
    .text(status, code.isEmpty ? "" : "<Error><Code>\(code)</Code><Message>No.</Message></Error>")
  }

  @Test(arguments: [
    ("400 Bad Request", "ExpiredToken"), ("403 Forbidden", "InvalidAccessKeyId"),
    ("403 Forbidden", "SignatureDoesNotMatch"), ("403 Forbidden", "AccessDenied"), ("403 Forbidden", ""),
  ]) func `that was renewed while a request was under way has it sent once more`(_ status: String, _ code: String)
    async throws
  {
    let path = path
    Self.write("AKIAOLD", token: "old-token", to: path)
    let server = try CannedServer { number in
      guard number == 0 else { return .text("206 Partial Content", "mobile") }
      Self.write("AKIANEW", token: "new-token", to: path)
      return Self.refusal(status, code)
    }
    defer { server.stop() }
    let name = try #require(BlobName(.replays, "a.pack"))
    #expect(try await blobs(at: server.port).get(name, 0..<6) == ByteBuffer(string: "mobile"))
    #expect(server.requests.count == 2)
    #expect(server.requests.first?.contains("Credential=AKIAOLD/") == true)
    #expect(server.requests.last?.contains("Credential=AKIANEW/") == true)
    #expect(server.requests.last?.lowercased().contains("x-amz-security-token: new-token") == true)
  }

  @Test func `that was renewed before it has ended signs what comes then`() async throws {
    let path = path
    Self.write("AKIAOLD", to: path)
    let server = try CannedServer { _ in .text("206 Partial Content", "mobile") }
    defer { server.stop() }
    let (name, blobs) = (try #require(BlobName(.replays, "a.pack")), try blobs(at: server.port))
    for key in ["AKIAOLD", "AKIANEW"] {
      Self.write(key, to: path)
      _ = try await blobs.get(name, 0..<6)
      #expect(server.requests.last?.contains("Credential=\(key)/") == true)
    }
    #expect(server.requests.count == 2)
  }

  @Test func `that stays refused is not sent again and again`() async throws {
    let path = path
    Self.write("AKIAOLD", to: path)
    let name = try #require(BlobName(.replays, "a.pack"))
    let same = try CannedServer { _ in Self.refusal("403 Forbidden", "InvalidAccessKeyId") }
    defer { same.stop() }
    let error = await #expect(throws: BlobError.self) { try await blobs(at: same.port).get(name, 0..<6) }
    #expect(error?.kind == .refused && same.requests.count == 1)
    // Each time another one, and none of them is known.
    let restless = try CannedServer { number in
      Self.write("AKIA\(number)", to: path)
      return Self.refusal("403 Forbidden", "InvalidAccessKeyId")
    }
    defer { restless.stop() }
    await #expect(throws: BlobError.self) { try await blobs(at: restless.port).get(name, 0..<6) }
    #expect(restless.requests.count == 2)
  }

  @Test func `that could end a header is none`() throws {
    #expect(S3Credentials("[a]\naws_access_key_id=a b\naws_secret_access_key=c", profile: "a") == nil)
    #expect(S3Credentials("[a]\naws_access_key_id=ä\naws_secret_access_key=c", profile: "a") == nil)
    #expect(S3Credentials("[a]\naws_access_key_id=\naws_secret_access_key=c", profile: "a") == nil)
    let empty = S3Credentials("[a]\naws_access_key_id=b\naws_secret_access_key=c\naws_session_token=\n", profile: "a")
    #expect(empty == S3Credentials(accessKey: "b", secretKey: "c"))
  }
}
