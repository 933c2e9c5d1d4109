import Testing

@testable import AutoMobileCollector

@Suite struct `Embedded web files` {
  @Test func `the viewer's page is in the binary`() throws {
    let page = try #require(WebAssets.embedded["/"])
    #expect(page.mediaType == "text/html; charset=utf-8")
    #expect(String(buffer: page.body).contains("<title>AutoMobile"))
  }

  @Test(arguments: ["", "index.html", "/../Package.swift", "//etc/passwd", "/%2e%2e/x", "/index.html/", "/INDEX.HTML"])
  func `no path leads out of the embedded files`(path: String) {
    #expect(WebAssets.embedded[path] == nil)
  }
}
