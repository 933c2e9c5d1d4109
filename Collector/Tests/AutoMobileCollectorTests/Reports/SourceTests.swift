import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Sources of frames` {
  // MARK: Archives

  private static func archive(_ files: [(String, String)], commit: String? = nil) throws -> Data {
    try SourceArchive.data(files.map { ($0.0, Data($0.1.utf8)) }, commit: commit)
  }

  private static func opened(_ data: Data) throws -> SourceArchive {
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "a.src")
    try data.write(to: file)
    return try SourceArchive(file.path)
  }

  @Test func `an archive finds a file by the longest name that debug information ends with`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "a.src")
    try Self.archive([("Cart.swift", "other"), ("Sources/Shop/Cart.swift", "one\ntwo\nthree"), ("empty.c", "")]).write(
      to: file)
    let archive = try SourceArchive(file.path)
    let path = try #require(archive.path(of: "/Users/ci/shop/Sources/Shop/Cart.swift"))
    #expect(path == "Sources/Shop/Cart.swift")
    #expect(archive.path(of: "/elsewhere/Cart.swift") == "Cart.swift")
    #expect(archive.path(of: "/elsewhere/NotCart.swift") == nil && archive.path(of: "") == nil)
    #expect(
      archive.excerpt(of: path, around: 2, each: 1)
        == SourceExcerpt(path: path, first: 1, lines: ["one", "two", "three"]))
    #expect(archive.excerpt(of: path, around: 3, each: 0)?.lines == ["three"])
    #expect(archive.excerpt(of: path, around: 4) == nil && archive.excerpt(of: path, around: 0) == nil)
    #expect(archive.excerpt(of: "empty.c", around: 1)?.lines == [""])
  }

  @Test(arguments: [
    "/etc/passwd", "../x.swift", "a/../../x", "a//b", "./a", "a/.", "", "a\\b", "a\nb", "a\u{0}b",
    String(repeating: "x", count: 1025),
  ])
  func `a file whose name could lead elsewhere is refused`(path: String) throws {
    #expect(throws: SourceArchive.Failure.self) { try Self.opened(try Self.archive([(path, "x")])) }
  }

  @Test func `an archive that is not what it says is refused`() throws {
    let whole = try Self.archive([("a.swift", "text")], commit: "abc123")
    #expect(try Self.opened(whole).contents.commit == "abc123")
    for end in [0, 10, 25, whole.count - 1] {
      #expect(throws: SourceArchive.Failure.self, "\(end) bytes") { try Self.opened(Data(whole.prefix(end))) }
    }
    #expect(throws: SourceArchive.Failure.self) { try Self.opened(whole + Data("more".utf8)) }
    #expect(throws: SourceArchive.Failure.self) { try Self.opened(try Self.archive([("a", "1"), ("a", "2")])) }
    for commit in ["a b", "../x", "a\"", "", String(repeating: "a", count: 101), "ü"] {
      #expect(throws: SourceArchive.Failure.self, "\(commit)") { try Self.opened(try Self.archive([], commit: commit)) }
    }
    // A list that speaks of more than any file has.
    var long = whole
    long.replaceSubrange(21..<29, with: withUnsafeBytes(of: UInt64.max.littleEndian) { Data($0) })
    #expect(throws: SourceArchive.Failure.self) { try Self.opened(long) }
  }

  // MARK: Links

  @Test(arguments: [
    ("vscode://file/{path}:{line}:{column}", nil, "vscode://file/b/Sources/Cart.swift:41:7"),
    (
      "https://github.com/o/r/blob/{commit}/{path}#L{line}", "/b",
      "https://github.com/o/r/blob/abc/Sources/Cart.swift#L41"
    ),
    (
      "https://gitlab.com/g/p/-/blob/{commit}/{path}#L{line}", "/b/",
      "https://gitlab.com/g/p/-/blob/abc/Sources/Cart.swift#L41"
    ),
    ("idea://open?file={path}&line={line}", nil, "idea://open?file=/b/Sources/Cart.swift&line=41"),
    ("cursor://file/{path}:{line}:{column}", nil, "cursor://file/b/Sources/Cart.swift:41:7"),
    ("zed://file/{path}:{line}", nil, "zed://file/b/Sources/Cart.swift:41"),
    ("subl://open?url=file://{path}&line={line}", nil, "subl://open?url=file:///b/Sources/Cart.swift&line=41"),
    // Built on another machine, and opened on one's own.
    ("vscode://file/Users/lea/shop/{path}:{line}", "/b", "vscode://file/Users/lea/shop/Sources/Cart.swift:41"),
  ])
  func `a link is made of its template`(template: String, root: String?, expected: String) throws {
    let link = SourceLink(template: template, root: root)
    try link.check()
    #expect(link.url(file: "/b/Sources/Cart.swift", line: 41, column: 7, commit: "abc") == expected)
  }

  @Test(arguments: [
    "javascript:alert(1)//{path}", "JavaScript://x/{path}", "data:text/html,{path}", "file:///{path}",
    "vbscript://{path}", "blob://{path}",
    "{path}", "//host/{path}", "https://{path}", "https://{commit}.example.com/{path}", "https://user@host/{path}",
    "https://host{path}",
    "https:///{path}", "https:host/{path}", "vscode:{path}", "https://host/x", "https://host/{path}/{user}",
    "https://host/ {path}",
    "vscode://{path}", "vscode://{commit}/{path}", "vscode://file{path}:{line}", "zed://{path}", "idea://{path}?x/",
    "https://host/\n{path}", "ms-msdt://x/{path}", "https://host\\x/{path}",
  ])
  func `a link that does not open sources is refused`(template: String) {
    #expect(throws: APIError.self) { try SourceLink(template: template).check() }
  }

  @Test(arguments: ["../../login", "/b/../../x", "x?y=z", "x#y", "x\"><script>", "x%2e%2e", "x y", "x\r\nSet: a"])
  func `what debug information names cannot change where a link leads`(file: String) throws {
    let link = SourceLink(template: "https://github.com/o/r/blob/{commit}/{path}#L{line}")
    guard let url = link.url(file: file, line: 1, column: nil, commit: "a?b") else { return }
    let parts = try #require(URLComponents(string: url))
    #expect(
      parts.host == "github.com" && parts.path.hasPrefix("/o/r/blob/a") && parts.query == nil && parts.fragment == "L1")
    #expect(!url.contains("..") && !url.contains("<") && !url.contains(" "))
  }

  @Test(arguments: [
    ("vscode://file/{path}", nil, "//host/share/a.c", "vscode://file/host/share/a.c"),
    ("idea://open?file={path}", nil, "//host/share/a.c", "idea://open?file=/host/share/a.c"),
    ("idea://open?file={path}", nil, "\\\\host\\a.c", "idea://open?file=/host%5Ca.c"),
    ("idea://open?file={path}", "/b", "/b//host/a.c", "idea://open?file=/host/a.c"),
    ("txmt://open/?url=file://{path}", nil, "/b/a.c", "txmt://open/?url=file:///b/a.c"),
    ("txmt://open/?url=file://{path}", "/b", "/b/host/a.c", "txmt://open/?url=file:///host/a.c"),
  ])
  func `no path names another machine`(template: String, root: String?, file: String, expected: String) throws {
    let link = SourceLink(template: template, root: root)
    try link.check()
    #expect(link.url(file: file, line: 1, column: nil, commit: nil) == expected)
  }

  @Test func `a report cannot choose another app's link, and a tag is a commit only when it is a hash`() async throws {
    let program = try await CrashedProgram.shared
    try await RunningCollector.with { collector in
      _ = try await collector.addSymbols(program.path)
      #expect(
        try await collector.putSource("{\"app\":\"dev.example.shop\",\"link\":\"https://own/{commit}/{path}\"}").status
          == 200)
      #expect(try await collector.putSource("{\"app\":\"com.other\",\"link\":\"https://other/{path}\"}").status == 200)
      for (commit, prefix) in [("abcdef0123", "https://own/abcdef0123/" as String?), ("main", nil), ("../x", nil)] {
        var batch = RawBatch()
        batch.addContext(1, session: "s-\(commit.count)", tags: ["commit": commit])
        batch.add(
          .event,
          """
          {"eventType":"crash","timestamp":1700000000000,"errorDomain":"SIGSEGV","stackTrace":"","bundleId":"com.other",\
          "report":\(program.report()),"contextId":1}
          """)
        try await collector.post(raw: batch)
        let event = try await collector.crash(batch)
        let frame = try await collector.json("/api/events/\(event)/report")["report"]["threads"][0]["frames"][0]
        #expect(frame["line"].int == 11)
        if let prefix {
          #expect(frame["link"].string?.hasPrefix(prefix) == true, "\(String(describing: frame["link"].string))")
        } else {
          #expect(frame["link"] == .null, "\(String(describing: frame["link"].string))")
        }
      }
    }
  }

  @Test func `no link is made where the commit is not known, or the file lies outside of the root`() {
    let link = SourceLink(template: "https://host/{commit}/{path}", root: "/build")
    #expect(link.url(file: "/build/a.swift", line: 1, column: nil, commit: nil) == nil)
    #expect(link.url(file: "/builder/a.swift", line: 1, column: nil, commit: "c") == nil)
    #expect(link.url(file: "/build/a.swift", line: 1, column: nil, commit: "c") == "https://host/c/a.swift")
  }

  // MARK: Over HTTP

  @Test func `a report shows the lines around a frame and where it opens, for its own app alone, also after a restart`()
    async throws
  {
    let program = try await CrashedProgram.shared
    let directory = try TemporaryDirectory()
    let text = try String(
      contentsOf: URL(filePath: program.path).deletingLastPathComponent().appending(path: "checkout.swift"),
      encoding: .utf8)
    let archive = try Self.archive([("checkout.swift", text)], commit: "c0ffee")
    let own = "/api/symbols/sources?build=\(program.buildID)"
    let file = [("Content-Type", "application/octet-stream")]
    try await RunningCollector.with(directory: directory.url) { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addCrash(program.report())
      try await collector.post(raw: batch)
      let event = try await collector.crash(batch)
      #expect(try await collector.send(.POST, own, headers: file, body: ByteBuffer(data: archive)).status == 404)
      #expect(try await collector.addSymbols(program.path).status == 200)
      let refused = try await collector.send(.POST, own, headers: file, body: ByteBuffer(data: archive.dropLast()))
      #expect(refused.status == 422 && refused.text.contains("holds"))
      #expect(
        try await collector.send(.POST, own, headers: [("Content-Type", "text/plain")], body: ByteBuffer(data: archive))
          .status == 415)
      #expect(
        try await collector.send(.POST, "/api/symbols/sources", headers: file, body: ByteBuffer(data: archive)).status
          == 400)
      let kept = try await collector.send(.POST, own, headers: file, body: ByteBuffer(data: archive))
      #expect(kept.status == 200, "\(kept.text)")
      #expect(try kept.json()["files"].int == 1)

      let link = "{\"app\":\"*\",\"link\":\"https://host/{commit}/{path}#L{line}\"}"
      #expect(try await collector.putSource(link).status == 200)
      #expect(try await collector.putSource("{\"app\":\"*\",\"link\":\"javascript:x{path}\"}").status == 400)
      #expect(try await collector.putSource("{\"app\":\"com.other\",\"link\":\"zed://file/{path}\"}").status == 200)
      try await Self.expectSource(collector, event, text)
    }
    try await RunningCollector.with(directory: directory.url) { collector in
      let event = try #require(try await collector.json("/api/events?type=crash")["events"][0]["id"].int)
      try await Self.expectSource(collector, event, text)
      #expect(try await collector.json("/api/settings/sources")["sources"].array.count == 2)
      #expect(try await collector.putSource("{\"app\":\"*\",\"link\":null}").status == 200)
      let unlinked = try await collector.json("/api/events/\(event)/report")["report"]["threads"][0]["frames"][0]
      #expect(unlinked["link"] == .null && unlinked["source"]["first"].int == 6)
      #expect(try await collector.send(.DELETE, "/api/symbols/\(program.buildID)").status == 200)
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.url.appending(path: "symbols").path)
      #expect(!left.contains { $0.hasSuffix(".src") || $0.hasSuffix(".part") }, "\(left)")
    }
  }

  private static func expectSource(_ collector: RunningCollector, _ event: Int, _ text: String) async throws {
    let frame = try await collector.json("/api/events/\(event)/report")["report"]["threads"][0]["frames"][0]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(frame["line"].int == 11)
    #expect(frame["source"]["path"].string == "checkout.swift" && frame["source"]["first"].int == 6)
    #expect(frame["source"]["lines"].array.map(\.string) == lines[5...15].map(Optional.some))
    let link = try #require(frame["link"].string)
    #expect(link.hasPrefix("https://host/c0ffee/") && link.hasSuffix("/checkout.swift#L11"))
    let report = try await collector.get("/api/events/\(event)/report.txt").text
    #expect(report.contains("Source of frame 0, checkout.swift:") && report.contains(">     11  " + lines[10]))
  }

  @Test func `sources that do not fit are refused, and a link is of the app and its extensions`() async throws {
    let program = try await CrashedProgram.shared
    try await RunningCollector.with { options in
      options.limits.sourceStoreBytes = 64
    } _: { collector in
      _ = try await collector.addSymbols(program.path)
      let answer = try await collector.send(
        .POST, "/api/symbols/sources?build=\(program.buildID)", headers: [("Content-Type", "application/octet-stream")],
        body: ByteBuffer(data: try Self.archive([("a.swift", String(repeating: "x", count: 100))])))
      #expect(answer.status == 422 && answer.text.contains("does not fit"))
    }
    let directory = try TemporaryDirectory()
    let store = try EventStore(path: directory.url.appending(path: "index").path, fullText: false, maximumDepth: 64)
    let links = try SourceLinkStore(store.state, logger: RunningCollector.quiet)
    for (app, link) in [("com.a", "zed://file/{path}"), ("com.a.b", "idea://x/{path}"), ("*", "cursor://file/{path}")] {
      try await links.set(SourceLink(template: link), for: app, by: "test", at: 1)
    }
    #expect(links.link(for: "com.a.widget")?.template == "zed://file/{path}")
    #expect(links.link(for: "com.a.b.c")?.template == "idea://x/{path}")
    #expect(links.link(for: "com.ab")?.template == "cursor://file/{path}")
    #expect(links.link(for: nil)?.template == "cursor://file/{path}")
  }
}

extension RunningCollector {
  fileprivate func putSource(_ json: String) async throws -> Answer {
    try await send(
      .PUT, "/api/settings/sources", headers: [("Content-Type", "application/json")], body: ByteBuffer(string: json))
  }
}
