import AutoMobileHTTP
import Foundation
import Testing

@Suite struct HTTPExchangeTests {
  private func coded(_ exchange: HTTPExchange) throws -> HTTPExchange {
    try JSONDecoder().decode(HTTPExchange.self, from: JSONEncoder().encode(exchange))
  }

  @Test func `an exchange with everything is the same after a trip through JSON`() throws {
    var exchange = HTTPExchange(
      id: "1", startedAt: 1_700_000_000_123, method: "POST", url: "https://a.example/p%20q?x=1")
    exchange.requestHeaders = ["Content-Type": "application/json"]
    exchange.requestBody = HTTPBody(bytes: Data("{}".utf8), size: 2)
    exchange.statusCode = 403
    exchange.responseHeaders = ["Set-Cookie": "[redacted]"]
    exchange.responseBody = HTTPBody(bytes: Data([0xFF, 0xD8, 0, 1]), size: 90_000)
    exchange.contentType = "image/jpeg"
    exchange.durationMs = 12.5
    exchange.error = HTTPFailure(message: "cancelled", domain: "NSURLErrorDomain", code: -999)
    exchange.redirects = [HTTPRedirect(statusCode: 302, url: "https://a.example/", location: "https://a.example/p")]
    exchange.timings = HTTPTimings()
    exchange.timings?.responseStart = 3
    exchange.transport = HTTPTransport()
    exchange.transport?.protocolName = "h2"
    exchange.graphQLOperation = "Me"
    exchange.tracerId = "conversation-1"
    exchange.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    exchange.mockRule = "forbidden"
    exchange.source = "urlprotocol"
    #expect(try coded(exchange) == exchange)
    #expect(exchange.error?.isCancellation == true)
    #expect(exchange.host == "a.example")
    #expect(exchange.path == "/p%20q")
  }

  @Test func `an event that only has what the document asks for is an exchange`() throws {
    let json = #"{"type":"network_request","timestamp":5,"url":"u","method":"GET","responseBodySize":7}"#
    let exchange = try JSONDecoder().decode(HTTPExchange.self, from: Data(json.utf8))
    #expect(exchange.responseBody == HTTPBody(bytes: nil, size: 7))
    #expect(exchange.requestBody == nil)
    #expect(exchange.id == "")
  }

  @Test(arguments: [("é", 1, ""), ("aé", 2, "a"), ("a€", 3, "a"), ("a😀", 4, "a"), ("a😀", 5, "a😀"), ("ab", 1, "a")])
  func `a character that was cut in half is left out`(text: String, captured: Int, expected: String) {
    let body = HTTPBody(bytes: Data(text.utf8.prefix(captured)), size: 100)
    #expect(body.text == expected)
  }

  @Test func `bytes that are no text come back as they were`() throws {
    var exchange = HTTPExchange(id: "1", startedAt: 0, method: "GET", url: "u")
    exchange.responseBody = HTTPBody(bytes: Data([0x61, 0xFF, 0x62]), size: 3)
    #expect(exchange.responseBody?.text == nil)
    #expect(try coded(exchange).responseBody == exchange.responseBody)
  }
}
