#if os(macOS) || os(Linux)
import AutoMobileHTTP
import AutoMobileHTTPExport
import Foundation
import Testing

/// What is written is read by a reader of somebody else's, and held against the specification.
@Suite(.enabled(if: Tools.hasPython, "Scripts/setup test installs the reader")) struct HARExportTests {
  struct Read: Decodable {
    var method: String
    var url: String
    var status: Int
    /// In milliseconds since 1970.
    var start: Int64
    var time: Double
    var mimeType: String
    /// In hexadecimal digits.
    var body: String
    var requestHeaders: [String: String]
    var responseHeaders: [String: String]
    var query: [String: String]
    var redirect: String
  }

  /// Fails when the file is not HAR 1.2.
  private func read(_ archive: Data) async throws -> [Read] {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.url.appendingPathComponent("log.har")
    try archive.write(to: file)
    let run = try await Tools.run(Tools.python.path, [Tools.harReader.path, file.path])
    try #require(run.status == 0, "\(String(decoding: run.errors, as: UTF8.self))")
    return try JSONDecoder().decode([Read].self, from: run.output)
  }

  private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The raw entries.
  private func entries(_ archive: Data) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: archive) as? [String: Any]
    return try #require((object?["log"] as? [String: Any])?["entries"] as? [[String: Any]])
  }

  private var full: HTTPExchange {
    var exchange = HTTPExchange(
      id: "1", startedAt: 1_700_000_000_123, method: "POST", url: "https://a.example/p?q=a%20b+c&x=%FF&y#f?z=1")
    exchange.requestHeaders = ["Content-Type": "application/x-www-form-urlencoded", "Cookie": "a=1; b=x=y"]
    exchange.requestBody = HTTPBody(bytes: Data("name=J%C3%B6rg&n=1".utf8), size: 18)
    exchange.statusCode = 404
    exchange.responseHeaders = [
      "Set-Cookie": "s=1; Path=/; Expires=Wed, 21 Oct 2015 07:28:00 GMT; HttpOnly, t=2; Secure; SameSite=Lax"
    ]
    exchange.responseBody = HTTPBody(bytes: Data("{\"é\":1}".utf8), size: 8)
    exchange.contentType = "application/json; charset=utf-8"
    exchange.durationMs = 100
    var timings = HTTPTimings()
    timings.domainLookupStart = 2
    timings.domainLookupEnd = 12.5
    timings.connectStart = 12.5
    timings.secureConnectionStart = 20
    timings.secureConnectionEnd = 39
    timings.connectEnd = 40
    timings.requestStart = 40.1
    timings.requestEnd = 41
    timings.responseStart = 90
    timings.responseEnd = 99
    exchange.timings = timings
    exchange.transport = HTTPTransport()
    exchange.transport?.protocolName = "h2"
    exchange.transport?.remoteAddress = "192.0.2.1"
    exchange.tracerId = "conversation-1"
    exchange.graphQLOperation = "Me"
    exchange.mockRule = "teapot"
    return exchange
  }

  @Test func `an exchange with everything is read by another reader as it was`() async throws {
    let archive = HARExport.data([full], version: "1.0", comment: "a \"session\"")
    let read = try #require(try await read(archive).first)
    #expect(read.method == "POST" && read.url == full.url && read.status == 404)
    #expect(read.start == 1_700_000_000_123 && read.time == 100)
    #expect(read.mimeType == "application/json; charset=utf-8")
    #expect(read.body == hexadecimal(full.responseBody?.bytes ?? Data()))
    #expect(read.query == ["q": "a b c", "x": "%FF", "y": ""])
    #expect(read.requestHeaders == full.requestHeaders && read.responseHeaders == full.responseHeaders)

    let entry = try #require(try entries(archive).first)
    let timings = try #require(entry["timings"] as? [String: Double])
    #expect(
      timings == ["blocked": 3.1, "dns": 10.5, "connect": 27.5, "ssl": 19, "send": 0.9, "wait": 49, "receive": 9])
    #expect(entry["serverIPAddress"] as? String == "192.0.2.1")
    #expect(entry["_tracerId"] as? String == "conversation-1" && entry["_graphQLOperation"] as? String == "Me")
    #expect(entry["_mocked"] as? Bool == true && entry["_mockRule"] as? String == "teapot")
    let request = try #require(entry["request"] as? [String: Any])
    #expect(request["httpVersion"] as? String == "HTTP/2")
    let post = try #require(request["postData"] as? [String: Any])
    #expect(post["text"] as? String == "name=J%C3%B6rg&n=1")
    #expect(
      post["params"] as? [[String: String]] == [["name": "name", "value": "Jörg"], ["name": "n", "value": "1"]])
    #expect((request["cookies"] as? [[String: String]])?.map { $0["value"] } == ["1", "x=y"])
    let cookies = try #require((entry["response"] as? [String: Any])?["cookies"] as? [[String: Any]])
    #expect(cookies.map { $0["name"] as? String } == ["s", "t"])
    #expect(cookies.first?["expires"] as? String == "2015-10-21T07:28:00.000Z")
    #expect(cookies.first?["httpOnly"] as? Bool == true && cookies.last?["_sameSite"] as? String == "Lax")
  }

  @Test func `bodies that are binary, cut off or missing are read as what they are`() async throws {
    var binary = HTTPExchange(id: "1", startedAt: 0, method: "PUT", url: "https://a.example/1")
    let image = Data([0xFF, 0xD8, 0x00, 0x27])
    binary.requestBody = HTTPBody(bytes: image, size: 4)
    binary.statusCode = 200
    binary.responseBody = HTTPBody(bytes: image, size: 90_000)
    var unknown = HTTPExchange(id: "2", startedAt: 0, method: "GET", url: "https://a.example/2")
    unknown.statusCode = 200
    unknown.responseBody = HTTPBody(bytes: nil, size: 7)
    let archive = HARExport.data([binary, unknown], version: "1")
    let read = try await read(archive)
    #expect(read.map(\.body) == [hexadecimal(image), ""])
    let entries = try entries(archive)
    let contents = entries.map { ($0["response"] as? [String: Any])?["content"] as? [String: Any] }
    #expect(contents[0]?["size"] as? Int == 90_000 && contents[0]?["encoding"] as? String == "base64")
    #expect(contents[0]?["comment"] as? String == "Truncated: the first 4 of 90000 bytes were captured.")
    #expect(contents[1]?["comment"] as? String == "The body of 7 bytes was not captured.")
    let post = (entries[0]["request"] as? [String: Any])?["postData"] as? [String: Any]
    #expect(post?["text"] as? String == image.base64EncodedString() && post?["_encoding"] as? String == "base64")
  }

  @Test func `redirects are entries of their own, one after the other in time`() async throws {
    var exchange = HTTPExchange(id: "1", startedAt: 1000, method: "POST", url: "https://a.example/0")
    exchange.requestBody = HTTPBody(bytes: Data("x".utf8), size: 1)
    exchange.redirects = [
      HTTPRedirect(statusCode: 307, url: "https://a.example/0", location: "/1", atMs: 10),
      HTTPRedirect(statusCode: 303, url: "https://a.example/1", location: "https://b.example/2", atMs: 30),
    ]
    exchange.statusCode = 200
    exchange.durationMs = 100
    let archive = HARExport.data([exchange], version: "1")
    let read = try await read(archive)
    #expect(read.map(\.method) == ["POST", "POST", "GET"])
    #expect(read.map(\.url) == ["https://a.example/0", "https://a.example/1", "https://b.example/2"])
    #expect(read.map(\.status) == [307, 303, 200])
    #expect(read.map(\.start) == [1000, 1010, 1030] && read.map(\.time) == [10, 20, 70])
    #expect(read.map(\.redirect) == ["/1", "https://b.example/2", ""])
    let posts = try entries(archive).map { ($0["request"] as? [String: Any])?["postData"] != nil }
    #expect(posts == [true, true, false])
  }

  @Test func `an error, a cancellation and numbers that are none leave the file readable`() async throws {
    var failed = HTTPExchange(id: "1", startedAt: .max, method: "GET\n\"", url: "no url \u{0} ? é")
    failed.error = HTTPFailure(message: "timed \"out\"", domain: "NSURLErrorDomain", code: -1001)
    failed.durationMs = .nan
    var timings = HTTPTimings()
    timings.requestStart = .infinity
    timings.responseStart = -5
    failed.timings = timings
    var backwards = HTTPExchange(id: "2", startedAt: .min, method: "GET", url: "")
    backwards.durationMs = -3
    timings.requestStart = 9
    timings.responseStart = 5
    timings.responseEnd = 1
    backwards.timings = timings
    backwards.responseBody = HTTPBody(bytes: Data(), size: -4)
    backwards.redirects = [HTTPRedirect(statusCode: -1, url: "", location: "", atMs: .infinity)]
    let archive = HARExport.data([failed, backwards], version: "1")
    let read = try await read(archive)
    #expect(read.map(\.time) == [0, 0, 0])
    let entry = try entries(archive)[0]
    #expect((entry["response"] as? [String: Any])?["_error"] as? String == "timed \"out\"")
    #expect(entry["_errorDomain"] as? String == "NSURLErrorDomain" && entry["_errorCode"] as? Int == -1001)
  }

  @Test func `a request without an answer has status 0 and says why`() async throws {
    var unfinished = HTTPExchange(id: "1", startedAt: 1_700_000_000_000, method: "POST", url: "https://a.example/x")
    unfinished.isUnfinished = true
    let archive = HARExport.data([unfinished], version: "1")
    let read = try await read(archive)
    #expect(read.map(\.status) == [0] && read.map(\.time) == [0] && read.map(\.start) == [1_700_000_000_000])
    let response = try #require(entries(archive)[0]["response"] as? [String: Any])
    #expect(response["comment"] as? String == UnfinishedText.text(isUnderWay: nil) && response["_error"] == nil)
    #expect(response["bodySize"] as? Int == -1)
  }

  @Test func `the messages of a WebSocket stand in the form that browsers write`() async throws {
    var exchange = HTTPExchange(id: "1", startedAt: 0, method: "GET", url: "wss://a.example/ws")
    exchange.statusCode = 101
    func frame(_ direction: HTTPWebSocketFrame.Direction, _ kind: HTTPWebSocketFrame.Kind, _ bytes: [UInt8])
      -> HTTPWebSocketFrame
    {
      let payload = HTTPBody(bytes: Data(bytes), size: bytes.count)
      return HTTPWebSocketFrame(
        timestamp: 1_700_000_000_500, url: exchange.url, direction: direction, kind: kind, payload: payload)
    }
    var writer = HARWriter(version: "1")
    let frames = [frame(.sent, .text, Array("hé".utf8)), frame(.received, .binary, [1, 255])]
    let archive = writer.entry(for: exchange, frames: frames) + writer.end()
    #expect(try await read(archive).count == 1)
    let entry = try #require(try entries(archive).first)
    #expect(entry["_resourceType"] as? String == "websocket")
    let messages = try #require(entry["_webSocketMessages"] as? [[String: Any]])
    #expect(messages.map { $0["type"] as? String } == ["send", "receive"])
    #expect(messages.map { $0["data"] as? String } == ["hé", "Af8="])
    #expect(messages.map { $0["opcode"] as? Int } == [1, 2] && messages[0]["time"] as? Double == 1_700_000_000.5)
    #expect(
      try frames.map { try JSONDecoder().decode(HTTPWebSocketFrame.self, from: JSONEncoder().encode($0)) } == frames)
  }

  @Test func `an archive of nothing is an archive`() async throws {
    #expect(try await read(HARExport.data([], version: "1")).isEmpty)
  }

  @Test func `the parts of a form with files are told apart`() async throws {
    var exchange = HTTPExchange(id: "1", startedAt: 0, method: "POST", url: "https://a.example/")
    exchange.requestHeaders = ["content-type": "multipart/form-data; boundary=\"xyz\""]
    let body =
      Data("--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nvalue\r\n--xyz\r\n".utf8)
      + Data("Content-Disposition: form-data; name=\"f\"; filename=\"p.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
      + Data([0xFF, 0xD8]) + Data("\r\n--xyz--\r\n".utf8)
    exchange.requestBody = HTTPBody(bytes: body, size: body.count)
    let archive = HARExport.data([exchange], version: "1")
    #expect(try await read(archive).count == 1)
    let post = (try entries(archive)[0]["request"] as? [String: Any])?["postData"] as? [String: Any]
    #expect(
      post?["params"] as? [[String: String]] == [
        ["name": "a", "value": "value"], ["name": "f", "fileName": "p.jpg", "contentType": "image/jpeg"],
      ])
  }
}
#endif
