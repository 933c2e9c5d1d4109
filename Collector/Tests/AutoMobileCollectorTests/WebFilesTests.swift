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
      let body = try #require(name == "/index.html" ? WebAssets.embedded["/"]?.body : WebAssets.embedded[name]?.body)
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

  @Test func `files are sent compressed to who takes that, and are the same`() async throws {
    try await RunningCollector.with { collector in
      var total = 0
      for path in Self.paths {
        let name = path.hasPrefix("/") ? path : "/" + path
        let address = name == "/index.html" ? "/" : name
        let plain = try await collector.get(address)
        let packed = try await collector.get(address, headers: [("Accept-Encoding", "gzip")])
        total += packed.body.readableBytes
        #expect(plain.headers["Content-Encoding"].isEmpty && plain.status == 200, "\(name)")
        #expect(packed.headers["ETag"] == plain.headers["ETag"])
        guard packed.headers["Content-Encoding"] == ["gzip"] else { continue }
        #expect(try Inflater.gunzip(packed.body, limit: 1 << 20) == plain.body, "\(name)")
      }
      #expect(total < 300_000, "the page's transfer")
    }
  }
}
