import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Erasing beyond this machine` {
  private static func wait(_ what: String, until isDone: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !isDone() {
      try #require(ContinuousClock.now < deadline, "waited in vain: \(what)")
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  @Test func `a replay that shares a pack in an S3 store goes from there, and the other one stays`() async throws {
    let server = try await S3Server.shared
    let directory = try TemporaryDirectory()
    let prefix = BlobName.unique()
    let place = BlobPlace.s3(try server.settings(prefix))
    let (ada, bob) = (ErasureStory("adazq7f3kx"), ErasureStory("bobxw91cqy"))
    try await RunningCollector.with(
      directory: directory.url,
      {
        $0.blobs = place
        $0.blobCredentials = S3Server.credentials
        $0.packSeconds = 0.2
      }
    ) { collector in
      let pictures = [try await ada.send(to: collector), try await bob.send(to: collector)].map(\.body)
      for story in [ada, bob] {
        try await collector.waitForLaunch(story.batch.launch, stored: ErasureStory.stored())
      }
      let packs = directory.url.appending(path: "packs").path
      try await Self.wait("packs are in the store") {
        try FileManager.default.contentsOfDirectory(atPath: packs).isEmpty
      }
      let blobs = try server.client(prefix: prefix)
      func objects(with picture: ByteBuffer) async throws -> Int {
        var found = 0
        for entry in try await blobs.list(.replays, after: nil) {
          let body = try await blobs.get(entry.name, 0..<entry.bytes)
          if Data(body.readableBytesView).range(of: Data(picture.readableBytesView)) != nil { found += 1 }
        }
        return found
      }
      for picture in pictures { #expect(try await objects(with: picture) == 1) }
      let erasure = try await collector.erase("{\"user\":\"\(ada.user)\"}")
      #expect(erasure["problem"] == .null)
      // A bucket may keep versions, of which the collector cannot know.
      #expect(erasure["receipt"].string?.contains("\"what\":\"versions\"") == true)
      #expect(try await objects(with: pictures[0]) == 0)
      #expect(
        try FileSearch.files(in: directory.url, with: ada.marker, or: Array(pictures[0].readableBytesView)) == [])
      let kept = try await collector.get("/api/replays/\(bob.name)replay/segments/\(bob.picture.id)")
      #expect(kept.status == 200 && kept.body == pictures[1])
    }
  }
}
