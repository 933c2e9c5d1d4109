import CertificateTestFiles
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// SeaweedFS with a certificate of one's own, and keys that are renewed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A store of one's own` {
  private static let started = Task {
    let files = try CertificateFiles()
    for name in ["own", "other"] { try files.authority(name) }
    try files.certificate("server", by: "own", names: ["DNS:localhost"])
    return (files, try await S3Server(files))
  }

  private func problem(_ body: () async throws -> Void) async throws -> BlobError {
    do {
      try await body()
    } catch let error as BlobError {
      return error
    }
    Issue.record("it was done")
    return BlobError(.missing, "")
  }

  private func blobs(_ server: S3Server, _ query: String, host: String = "localhost") throws -> S3Blobs {
    let endpoint = server.endpoint.replacing("localhost", with: host)
    let place = "s3://bucket/\(BlobName.unique())?endpoint=\(endpoint)\(query)"
    var client = S3Client(settings: try S3Settings(place), credentials: S3Server.credentials)
    // What a certificate's fault is must be told without waiting.
    client.patience.pause = 1000
    return S3Blobs(client: client)
  }

  @Test func `is read and written with its authority's certificate, and asked for nothing without`() async throws {
    let (files, server) = try await Self.started.value
    let name = try #require(BlobName(.replays, "a.pack"))
    let trusted = try blobs(server, "&ca=\(files.path("own.pem"))")
    try await trusted.check()
    try await trusted.put(.bytes(ByteBuffer(string: "automobile")), as: name)
    #expect(try await trusted.get(name, 4..<10) == ByteBuffer(string: "mobile"))

    let unknown = try await problem { try await blobs(server, "").check() }
    #expect(unknown.kind == .unavailable && unknown.description.contains("ca=FILE"), "\(unknown)")
    let foreign = try await problem { try await blobs(server, "&ca=\(files.path("other.pem"))").check() }
    #expect(foreign.kind == .unavailable && foreign.description.contains(files.path("other.pem")), "\(foreign)")
    let misnamed = try await problem {
      try await blobs(server, "&ca=\(files.path("own.pem"))", host: "127.0.0.1").check()
    }
    #expect(misnamed.description.contains("is for localhost, and not for 127.0.0.1"), "\(misnamed)")
  }

  @Test func `is trusted as its file says now`() async throws {
    let (files, server) = try await Self.started.value
    try files.replace("ca.pem", with: "other.pem")
    let blobs = try blobs(server, "&ca=\(files.path("ca.pem"))")
    #expect(try await problem { try await blobs.check() }.kind == .unavailable)
    try files.replace("ca.pem", with: "own.pem")
    try await blobs.check()
    try files.replace("ca.pem", with: "other.pem")
    #expect(try await problem { try await blobs.check() }.kind == .unavailable)
  }

  @Test func `is not begun with when a file cannot be used`() throws {
    let files = try CertificateFiles()
    try Data("none".utf8).write(to: files.folder.appending(path: "empty.pem"))
    for (path, word) in [(files.path("nothing.pem"), "No such file"), (files.path("empty.pem"), "no certificate")] {
      let place = try BlobPlace("s3://bucket?endpoint=https://localhost&ca=\(path)")
      let error = #expect(throws: BlobPlace.Invalid.self) { try place.open(files.folder, S3Server.credentials) }
      #expect(error?.description.contains(path) == true && error?.description.contains(word) == true)
    }
  }

  @Test func `takes a key that was renewed without a restart`() async throws {
    let (files, server) = try await Self.started.value
    let path = files.path("credentials")
    func write(_ key: S3Credentials) throws {
      let text = "[default]\naws_access_key_id = \(key.accessKey)\naws_secret_access_key = \(key.secretKey)\n"
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    try write(S3Server.credentials)
    let keys = try S3Keys.find(in: ["AWS_SHARED_CREDENTIALS_FILE": path])
    let blobs = try S3Blobs(try server.settings(), keys: keys)
    try await blobs.check()

    let new = S3Credentials(accessKey: "AKIARENEWED", secretKey: "another secret")
    try await server.renew(new, after: S3Server.credentials)
    let refused = try await problem { try await blobs.check() }
    #expect(refused.kind == .refused && refused.description.contains("[default] in \(path)"), "\(refused)")
    // Whoever renews it has written half of it.
    try Data("[default]\naws_access_key_id = AKIARENEWED\n".utf8).write(to: URL(filePath: path))
    let half = try await problem { try await blobs.check() }
    #expect(half.kind == .refused && half.description.contains("so the key before is in use"), "\(half)")
    try write(new)
    try await blobs.check()
    // A file that is gone takes no key away.
    try FileManager.default.removeItem(atPath: path)
    try await blobs.check()
    // For the other tests.
    try await server.renew(S3Server.credentials, after: new)
    for error in [refused, half] { #expect(!error.description.contains("secret of the test's")) }
  }
}
