import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Viewer files` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Web").standardizedFileURL

  private static let paths: [String] = {
    let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    let files = (found?.allObjects as? [URL] ?? []).filter {
      (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }
    return files.map { String($0.standardizedFileURL.path.dropFirst(folder.path.count)) }
  }()

  @Test func `every file of the folder is in the binary, byte for byte`() throws {
    #expect(Self.paths.contains { $0.hasSuffix("/main.js") })
    for path in Self.paths {
      let name = path.hasPrefix("/") ? path : "/" + path
      let body = try #require(WebAssets.builtIn[String(name.dropFirst())])
      let contents = try Data(contentsOf: Self.folder.appending(path: String(name.dropFirst())))
      #expect(Array(body.readableBytesView) == Array(contents), "\(name)")
    }
  }

  @Test func `no file asks another host, and none holds inline code or styles`() throws {
    for path in Self.paths where path.hasSuffix(".html") || path.hasSuffix(".js") || path.hasSuffix(".css") {
      let text = try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
        .replacing("http://www.w3.org/", with: "")
      #expect(!text.contains("http://") && !text.contains("https://"), "\(path) names another host")
      for forbidden in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
        #expect(!text.contains(forbidden), "\(path) uses \(forbidden)")
      }
      if path.hasSuffix(".html") {
        #expect(!text.contains("style=") && !text.contains("<style") && !text.contains(" onclick"), "\(path)")
      }
    }
  }

  @Test func `what the page is made of is sent compressed to who takes that, is the same, and is kept`() async throws {
    try await RunningCollector.with { collector in
      var total = 0
      for name in ["/"] + Self.parts {
        let plain = try await collector.get(name)
        let packed = try await collector.get(name, headers: [("Accept-Encoding", "gzip")])
        #expect(plain.headers["Content-Encoding"].isEmpty && plain.status == 200, "\(name)")
        #expect(packed.headers["ETag"] == plain.headers["ETag"])
        #expect(plain.headers["Content-Security-Policy"] == [ViewerRoutes.contentSecurityPolicy])
        #expect(
          plain.headers["Cache-Control"] == [name == "/" ? "no-cache" : "public, max-age=31536000, immutable"],
          "\(name)")
        if !name.hasSuffix(".map") { total += packed.body.readableBytes }
        guard packed.headers["Content-Encoding"] == ["gzip"] else { continue }
        #expect(try Inflater.gunzip(packed.body, limit: 1 << 22) == plain.body, "\(name)")
      }
      #expect(total > 100_000 && total < 240_000, "the page's transfer: \(total)")
    }
  }

  @Test func `the page is asked for again, and is sent again only when it changed`() async throws {
    try await RunningCollector.with { collector in
      let first = try await collector.get("/")
      let tag = try #require(first.headers["ETag"].first)
      let again = try await collector.get("/", headers: [("If-None-Match", tag)])
      #expect(again.status == 304 && again.body.readableBytes == 0)
      #expect(try await collector.get("/", headers: [("If-None-Match", "\"other\"")]).status == 200)
    }
  }

  @Test func `a page of another version is led to this version's files, and that is not kept`() async throws {
    try await RunningCollector.with { collector in
      let socket = try RawSocket(port: collector.port)
      await socket.send("GET /viewer-0000000000000000.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let head = await socket.readHead()
      #expect(head.first == "HTTP/1.1 307 Temporary Redirect")
      #expect(head.contains { $0.lowercased() == "cache-control: no-store" })
      let now = try #require(head.first { $0.hasPrefix("Location: ") }).dropFirst("Location: ".count)
      #expect(try await collector.get(String(now)).status == 200)
      #expect(try await collector.get("/other-0000000000000000.js").status == 404)
    }
  }

  private static let parts = WebAssets.embedded.paths.filter { WebAssets.embedded["/" + $0]?.isImmutable == true }.map {
    "/" + $0
  }
}
