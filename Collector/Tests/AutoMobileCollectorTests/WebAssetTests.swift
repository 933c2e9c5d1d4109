import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Embedded web files` {
  @Test func `the viewer's page is in the binary, with few files under addresses that change with their contents`()
    throws
  {
    let assets = WebAssets.embedded
    #expect(assets.problem == nil)
    let page = try #require(assets["/"])
    let html = String(buffer: page.body)
    #expect(page.mediaType == "text/html; charset=utf-8" && html.contains("<title>AutoMobile") && !page.isImmutable)
    let named = html.matches(of: /(?:src|href)="([^"]+)"/).map { String($0.output.1) }
    #expect(named.map { ViewerPage.name(of: $0) } == ["icon.svg", "theme.js", "viewer.css", "viewer.js"])
    for path in named { #expect(assets["/" + path]?.isImmutable == true, "\(path)") }
  }

  @Test func `what is joined is every module that the page needs, and every style, in order`() throws {
    let script = try #require(WebAssets.embedded.part("viewer.js"))
    let style = try #require(WebAssets.embedded.part("viewer.css"))
    let joined = WebAssets.builtIn.keys.filter { $0.hasSuffix(".js") && script.contains("=> { // \($0)\n") }
    let modules = WebAssets.builtIn.keys.filter { $0.hasSuffix(".js") && $0 != "scripts/theme.js" }
    #expect(joined.sorted() == modules.sorted())
    #expect(!script.contains(/(?m)^(import \{|import \*|export (const|function|class|async))/))
    for (path, body) in WebAssets.builtIn where path.hasSuffix(".css") {
      #expect(style.contains(String(buffer: body)), "\(path)")
    }
    #expect(script.hasSuffix(".js.map\n"))
  }

  @Test func `another version's address leads to this one's, and nothing else does`() throws {
    let assets = WebAssets.embedded
    let now = try #require(assets.successor(of: "/viewer-0123456789abcdef.js"))
    #expect(assets[now] != nil && now != "/viewer-0123456789abcdef.js")
    #expect(assets.successor(of: now) == nil)
    let others = [
      "/viewer-0123456789abcde.js", "/viewer-0123456789ABCDEF.js", "/viewer.js", "/main-0123456789abcdef.js", "viewer",
      "/-.", "/a-.b",
      "/scripts/viewer-0123456789abcdef.js", "/viewer-0123456789abcdef.js/", "/index-0123456789abcdef.html",
    ]
    for other in others { #expect(assets.successor(of: other) == nil, "\(other)") }
  }

  @Test func `a change to one module changes the script's address alone`() throws {
    var sources = WebAssets.builtIn
    let main = try #require(sources["scripts/main.js"])
    sources["scripts/main.js"] = ByteBuffer(string: String(buffer: main) + "// changed\n")
    let changed = WebAssets(sources: sources)
    #expect(changed.path(of: "viewer.js") != WebAssets.embedded.path(of: "viewer.js"))
    #expect(changed.path(of: "viewer.css") == WebAssets.embedded.path(of: "viewer.css"))
    #expect(changed["/"]?.entityTag != WebAssets.embedded["/"]?.entityTag)
    #expect(
      changed.successor(of: "/" + (WebAssets.embedded.path(of: "viewer.js") ?? "")) == "/"
        + (changed.path(of: "viewer.js") ?? ""))
  }

  @Test func `a page that cannot be joined is sent as it is written, and says why`() throws {
    let assets = WebAssets(sources: [
      "index.html": ByteBuffer(string: "<script type=\"module\" src=\"main.js\"></script>"),
      "main.js": ByteBuffer(string: "export default 1;"),
    ])
    #expect(assets.problem is ScriptJoiner.Problem)
    #expect(assets["/"].map { String(buffer: $0.body) } == "<script type=\"module\" src=\"main.js\"></script>")
    #expect(assets["/main.js"] != nil)
  }

  @Test(arguments: ["", "index.html", "/../Package.swift", "//etc/passwd", "/%2e%2e/x", "/index.html/", "/INDEX.HTML"])
  func `no path leads out of the embedded files`(path: String) {
    #expect(WebAssets.embedded[path] == nil)
  }
}

extension WebAssets {
  fileprivate func part(_ name: String) -> String? {
    path(of: name).flatMap { self["/" + $0] }.map { String(buffer: $0.body) }
  }
}
