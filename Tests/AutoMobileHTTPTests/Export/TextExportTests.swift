import AutoMobileHTTP
import AutoMobileHTTPExport
import Foundation
import Testing

@Suite struct TextExportTests {
  @Test func `an exchange is told as people would tell it`() {
    var exchange = HTTPExchange(id: "1", startedAt: 1_700_000_000_023, method: "POST", url: "https://a.example/p")
    exchange.requestHeaders = ["Content-Type": "application/json", "B": "2"]
    exchange.requestBody = HTTPBody(bytes: Data("{\"a\":1}".utf8), size: 7)
    exchange.statusCode = 403
    exchange.responseBody = HTTPBody(bytes: Data("no".utf8), size: 9000)
    exchange.durationMs = 2500
    exchange.tracerId = "conversation-1"
    exchange.timings = HTTPTimings()
    exchange.timings?.requestEnd = 10
    exchange.timings?.responseStart = 2000
    exchange.timings?.responseEnd = 2500
    #expect(
      TextExport.text(exchange) == """
        POST https://a.example/p
        2023-11-14T22:13:20.023Z, 403 Forbidden, 2.5 s
        Tracer ID: conversation-1

        Request
          B: 2
          Content-Type: application/json

        Request body
        {
          "a": 1
        }

        Response body
        no
        (Truncated: the first 2 bytes of 9 KB were captured.)

        Timing
          blocked   10 ms
          wait      2 s
          receive   500 ms

        """)
  }

  @Test func `an error, redirects and a mock are said`() {
    var exchange = HTTPExchange(id: "1", startedAt: 0, method: "GET", url: "https://a.example/\nX: 1")
    exchange.redirects = [HTTPRedirect(statusCode: 301, url: "https://a.example/", location: "https://b.example/")]
    exchange.error = HTTPFailure(message: "timed out", domain: "NSURLErrorDomain", code: -1001)
    exchange.mockRule = "slow"
    #expect(
      TextExport.text(exchange) == """
        GET https://a.example/ X: 1
        1970-01-01T00:00:00.000Z
        Error: timed out (NSURLErrorDomain -1001)
        Redirect: 301 https://a.example/ to https://b.example/
        Mocked by the rule slow: nothing was sent over the network.

        """)
  }

  @Test func `a request without an answer says what is known of it`() {
    var exchange = HTTPExchange(id: "1", startedAt: 0, method: "GET", url: "https://a.example/")
    exchange.isUnfinished = true
    let texts = [true, false, nil].map { TextExport.text(exchange, isUnderWay: $0) }
    #expect(texts[0] == "GET https://a.example/\n1970-01-01T00:00:00.000Z, under way: no response yet\n")
    #expect(texts[1].contains("unfinished: the app ended first") && texts[2].contains("or the app ended first"))
  }

  @Test func `the phases follow one another and add up to the whole`() {
    var exchange = HTTPExchange(id: "1", startedAt: 0, method: "GET", url: "u")
    exchange.durationMs = 100
    #expect(exchange.phases == [HTTPPhase(name: .wait, start: 0, duration: 100)])
    var timings = HTTPTimings()
    timings.domainLookupStart = 0
    timings.domainLookupEnd = 10
    timings.connectStart = 10
    timings.secureConnectionStart = 20
    timings.secureConnectionEnd = 35
    timings.connectEnd = 40
    timings.requestStart = 40
    timings.requestEnd = 41
    timings.responseStart = 80
    timings.responseEnd = 90
    exchange.timings = timings
    #expect(exchange.phases.map(\.name) == [.blocked, .dns, .connect, .tls, .send, .wait, .receive])
    #expect(exchange.phases.map(\.duration) == [10, 10, 15, 15, 1, 39, 10])
    #expect(exchange.phases.last?.end == 100)
    exchange.durationMs = .nan
    exchange.timings?.responseStart = .infinity
    #expect(exchange.phases.isEmpty)
  }
}
