import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Blobs in folders` {
  @Test func `are for their owner alone, and what did not end goes with the next start`() async throws {
    let directory = try TemporaryDirectory()
    let blobs = FolderBlobs(directory.url)
    let name = try #require(BlobName(.replays, "a.pack"))
    try await blobs.put(.bytes(ByteBuffer(string: "x")), as: name)
    let file = try #require(blobs.file(name))
    #expect(try #require(try PrivateFiles.status(file)).st_mode & 0o777 == 0o600)
    let folder = directory.url.appending(path: "replays")
    #expect(try #require(try PrivateFiles.status(folder.path)).st_mode & 0o777 == 0o700)
    try Data("half".utf8).write(to: folder.appending(path: "b.part"))
    #expect(try await blobs.list(.replays, after: nil).map(\.name) == [name])
    try await blobs.tidy()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.pack"])
  }

  @Test func `do not follow a link that somebody put in a file's place`() async throws {
    let directory = try TemporaryDirectory()
    let blobs = FolderBlobs(directory.url)
    let name = try #require(BlobName(.replays, "a.pack"))
    try await blobs.check()
    try Data("secret".utf8).write(to: directory.url.appending(path: "elsewhere"))
    try FileManager.default.createSymbolicLink(
      at: directory.url.appending(path: "replays/a.pack"),
      withDestinationURL: directory.url.appending(path: "elsewhere"))
    await #expect(throws: BlobError.self) { try await blobs.get(name, 0..<6) }
    await #expect(throws: BlobError.self) { try await blobs.put(.bytes(ByteBuffer(string: "x")), as: name) }
    #expect(try Data(contentsOf: directory.url.appending(path: "elsewhere")) == Data("secret".utf8))
  }
}
