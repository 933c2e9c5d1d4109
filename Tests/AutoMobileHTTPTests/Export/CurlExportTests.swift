#if os(macOS) || os(Linux)
import AutoMobileHTTP
import AutoMobileHTTPExport
import Foundation
import RequestCatcher
import TestTools
import Testing

/// The command line is run, by a shell, and what arrives is compared byte by byte.
@Suite struct CurlExportTests {
  private func exchange(_ catcher: RequestCatcher, _ method: String, _ target: String) -> HTTPExchange {
    HTTPExchange(id: "1", startedAt: 0, method: method, url: "http://127.0.0.1:\(catcher.port)\(target)")
  }

  /// Runs the command line; the one request that it makes.
  private func send(_ exchange: HTTPExchange, _ catcher: RequestCatcher) async throws -> RequestCatcher.Caught {
    let command = CurlExport.command(exchange)
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let script = directory.url.appendingPathComponent("command")
    try Data(command.utf8).write(to: script)
    let run = try await Tools.run("/bin/sh", [script.path])
    let said = String(decoding: run.errors, as: UTF8.self)
    try #require(run.status == 0, "\(command)\n\(said)")
    let requests = catcher.take()
    #expect(requests.count == 1, "\(command)")
    return try #require(requests.first)
  }

  @Test func `the line that people know comes out for a simple request`() {
    var exchange = HTTPExchange(id: "1", startedAt: 0, method: "POST", url: "https://a.example/p?x=1")
    exchange.requestHeaders = ["Content-Type": "application/json", "Accept": "*/*", "Content-Length": "13"]
    exchange.requestBody = HTTPBody(bytes: Data(#"{"it's":true}"#.utf8), size: 13)
    #expect(
      CurlExport.command(exchange) == #"""
        curl 'https://a.example/p?x=1' \
          -H 'Accept: */*' \
          -H 'Content-Type: application/json' \
          --data-raw '{"it'\''s":true}'
        """#)
  }

  @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PROPFIND", "get"])
  func `each method arrives as it is, with a body and without`(method: String) async throws {
    let catcher = try RequestCatcher()
    defer { catcher.stop() }
    var plain = exchange(catcher, method, "/path")
    #expect(try await send(plain, catcher).requestLine == "\(method) /path HTTP/1.1")
    // curl waits for the body that it thinks an answer to HEAD has.
    guard method != "HEAD" else { return }
    plain.requestBody = HTTPBody(bytes: Data("a=1".utf8), size: 3)
    let request = try await send(plain, catcher)
    #expect(request.requestLine == "\(method) /path HTTP/1.1")
    #expect(request.body == Data("a=1".utf8))
    #expect(request.values("Content-Type").isEmpty, "none was recorded, so none is made up")
  }

  static let hostile = [
    "'; touch /tmp/no; '", #"$(id) `id` ${HOME} "quoted" \ \n \'"#, "a\nb\n", "\n", "@/etc/passwd", "-o /tmp/no",
    "tab\tand\r\nline", "%s %d %% %n", "\u{1B}[31mred\u{7}", "é € 😀 '\u{301}", "!history !!", "*?[a]{b,c}~#", "", " ",
    "\u{9B}2J\u{202E}\u{2066}\u{85}", "\u{1B}[201~'\u{7F}", "\u{0}before\u{0}after", #"\061\x31"#, "\\",
  ]

  @Test(arguments: hostile)
  func `a hostile body arrives byte for byte`(text: String) async throws {
    let catcher = try RequestCatcher()
    defer { catcher.stop() }
    var post = exchange(catcher, "POST", "/")
    let bytes = Data(text.utf8)
    post.requestBody = HTTPBody(bytes: bytes, size: bytes.count)
    #expect(try await send(post, catcher).body == bytes)
  }

  @Test(arguments: hostile)
  func `a hostile header is sent as it is, or said to be left out`(text: String) async throws {
    let catcher = try RequestCatcher()
    defer { catcher.stop() }
    var get = exchange(catcher, "GET", "/")
    get.requestHeaders = ["X-Value": text, "X-Other": "there", "Bad\nName: x": "1", "@file": "1"]
    let request = try await send(get, catcher)
    #expect(request.values("X-Other") == [Array("there".utf8)])
    #expect(request.values("Bad").isEmpty && request.values("@file").isEmpty)
    let isAllowed = text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
    let leftOut = isAllowed ? 2 : 3
    #expect(CurlExport.command(get).hasPrefix("# left out: \(leftOut) header(s)"))
    let sent = text.trimmingCharacters(in: .whitespaces)
    #expect(
      request.values("X-Value").map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces) }
        == (isAllowed ? [sent] : []))
  }

  @Test(arguments: [
    "/a'b?c=d%20e&f=$HOME", "/[1-3]{a,b}", "/a/../b/./c", "/é?q=1", "/x?a=1;rm&b=`id`", "/%00?%27", "/?-d&--data",
  ])
  func `a hostile path arrives as it is`(target: String) async throws {
    let catcher = try RequestCatcher()
    defer { catcher.stop() }
    let line = try await send(exchange(catcher, "GET", target), catcher).requestLine
    // What is not ASCII can only go out encoded; curl does that in lower case.
    #expect(line == "GET \(target.replacingOccurrences(of: "é", with: "%c3%a9")) HTTP/1.1")
  }

  @Test func `random bytes of every length arrive byte for byte`() async throws {
    let catcher = try RequestCatcher()
    defer { catcher.stop() }
    let seed: UInt64 = 20
    var random = SeededRandom(seed)
    for length in [1, 2, 3, 255, 1024, 1025, 40_000, 300_000] {
      var put = exchange(catcher, "PUT", "/")
      let bytes = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
      put.requestBody = HTTPBody(bytes: bytes, size: length)
      put.requestHeaders = ["Content-Type": "application/octet-stream", "Content-Length": "7"]
      #expect(try await send(put, catcher).body == bytes, "seed \(seed), length \(length)")
    }
    // A text that no argument can hold.
    var post = exchange(catcher, "POST", "/")
    let text = Data(String(repeating: "long 'text' ", count: 20_000).utf8)
    post.requestBody = HTTPBody(bytes: text, size: text.count)
    #expect(try await send(post, catcher).body == text)
  }

  @Test func `what cannot be the same is said, and the command still runs`() async throws {
    let catcher = try RequestCatcher()
    defer { catcher.stop() }
    var put = exchange(catcher, "PUT", "/?token=REDACTED")
    put.requestHeaders = ["Authorization": "REDACTED", "X-Plain": "1"]
    put.requestBody = HTTPBody(bytes: Data("{\"password\":\"REDACTED\"".utf8), size: 90_000)
    put.mockRule = "rule\n; touch /tmp/no"
    let command = CurlExport.command(put)
    #expect(command.contains("# the request's body was truncated: only the first 22 of 90000 bytes were captured\n"))
    #expect(command.contains("fill in the real values: header Authorization, URL, body\n"))
    #expect(command.contains("# the recorded response came from a mock rule\n"))
    #expect(try await send(put, catcher).body.count == 22)

    var bodyless = exchange(catcher, "BAD METHOD\n", "/")
    bodyless.requestBody = HTTPBody(bytes: nil, size: 5)
    #expect(CurlExport.command(bodyless).contains("# the request's body, 5 bytes, was not captured\n"))
    #expect(try await send(bodyless, catcher).requestLine == "GET / HTTP/1.1")
  }
}
#endif
