import AutoMobileHTTP
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

/// Secrets of all kinds are planted, and looked for byte by byte on the disk and on the wire.
@Suite struct SecretTests {
  /// Each is found only where it was planted.
  private static let secrets = (0..<40).map { "S3CRET\($0)x" }

  private static func plant(_ network: AutoMobileNetwork) {
    var next = secrets.makeIterator()
    func secret() -> String { next.next() ?? "S3CRET" }
    var exchange = HTTPExchange(
      id: "1", startedAt: 1, method: "POST",
      url: "https://joe:\(secret())@a.example/p;jsessionid=\(secret())?q=visible&t%6Fken=\(secret())"
        + "&next=https%3A%2F%2Fb%2F%3Fapi_key%3D\(secret())#access_token=\(secret())")
    exchange.requestHeaders = [
      "Authorization": "Bearer \(secret())", "COOKIE": "a=\(secret())", "x-api-key": secret(),
      "Referer": "https://a.example/?sig=\(secret())", "Content-Type": "application/json", "X-Visible": "visible",
    ]
    let nested = #"{\"refresh_token\":\"\#(secret())\"}"#
    let json =
      #"{"user":"visible","p\u0061ssword":"\#(secret())","a":[{"clientSecret":{"x":["\#(secret())"]}}],"#
      + #""inner":"\#(nested)","Pass-Word":"\#(secret())","pin":"\#(secret())","#
      + #""url":"https://a/?access%5Ftoken=\#(secret())","cut":{"token":"\#(secret())"#
    exchange.requestBody = HTTPBody(bytes: Data(json.utf8), size: 1 << 20)
    exchange.statusCode = 302
    exchange.responseHeaders = [
      "Set-Cookie": "sid=\(secret()); HttpOnly", "Location": "/next?token=\(secret())", "Proxy-Authorization": secret(),
    ]
    exchange.responseBody = HTTPBody(
      bytes: Data("grant=visible&pass%77ord=\(secret())&user[pin]=\(secret())&x=%7B%22token%22%3A%22\(secret())".utf8),
      size: 1000)
    exchange.contentType = "application/x-www-form-urlencoded"
    exchange.error = HTTPFailure(message: "cannot load https://joe:\(secret())@a.example/?secret=\(secret()) now")
    exchange.redirects = [
      HTTPRedirect(
        statusCode: 302, url: "https://a.example/?token=\(secret())", location: "https://b/#id_token=\(secret())")
    ]
    network.exchangeEnded(exchange)

    var graphQL = HTTPExchange(id: "2", startedAt: 1, method: "POST", url: "https://a.example/graphql")
    graphQL.requestHeaders = ["Content-Type": "application/json"]
    let variables = #"{"operationName":"Login","variables":{"input":{"password":"\#(secret())"}},"#
    let literal = #""query":"mutation Login { a(otp: \"\#(secret())\") }"}"#
    graphQL.requestBody = HTTPBody(bytes: Data((variables + literal).utf8), size: 500)
    graphQL.responseBody = HTTPBody(bytes: Data("<a><password>\(secret())</password></a>".utf8), size: 60)
    graphQL.contentType = "text/xml"
    network.exchangeEnded(graphQL)

    network.recordRequest(
      url: "https://a.example/?password=\(secret())", method: "GET", requestHeaders: ["authorization": secret()],
      error: "password=\(secret())", requestBody: "{\"token\":\"\(secret())\"}", responseBody: "token: \(secret())")
    network.recordWebSocketFrame(url: "wss://a.example/?token=\(secret())", direction: .sent, frameType: .text)
    let frame = Data(#"{"type":"hello","token":"\#(secret())"}"#.utf8)
    network.record(
      url: "wss://a.example/?token=\(secret())", .sent, .text, HTTPBody(bytes: frame, size: frame.count), requestId: "3"
    )
    #expect(next.next() != nil, "there were enough of them")
  }

  @Test func `planted secrets are nowhere on disk and nowhere on the wire`() async throws {
    let received = Locked<[Data]>([])
    let server = try HTTPTestServer { request in
      received.withLock { $0.append(request.body) }
      return .ok
    }
    defer { server.stop() }
    let harness = try NetworkHarness(endpoint: server.url)
    harness.network.setCaptureHeaders(true)
    harness.network.setCaptureBodies(true)
    Self.plant(harness.network)
    let recorded = try harness.payloads()
    #expect(recorded.count == 5)
    harness.sdk.sdk.flush()
    #expect(await eventually { harness.sdk.sdk.diagnostics.delivery?.eventsDelivered == 5 })

    var places: [Data] = recorded + received.withLock { $0 }
    let files = FileManager.default.enumerator(at: harness.sdk.directory.url, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL { places.append((try? Data(contentsOf: file)) ?? Data()) }
    // What the wire carries in base64 is looked at decoded, too.
    for batch in received.withLock({ $0 }) {
      let events = (try? JSONDecoder().decode(SdkEventBatch.self, from: batch))?.events ?? []
      places += events.map(\.payload)
    }
    #expect(places.count > 12)
    #expect(places.contains { $0.range(of: Data("visible".utf8)) != nil }, "what is no secret is there")
    for place in places {
      #expect(place.range(of: Data("S3CRET".utf8)) == nil, "\(String(decoding: place.prefix(2000), as: UTF8.self))")
    }
  }

  @Test func `the test would notice a secret`() throws {
    let harness = try NetworkHarness()
    harness.network.setCaptureHeaders(true)
    harness.network.setCaptureBodies(true)
    harness.network.setRedactedHeaders([])
    harness.network.setRedactedFields(["nothing of the kind"])
    Self.plant(harness.network)
    let text = try harness.payloads().map { String(decoding: $0, as: UTF8.self) }.joined()
    #expect(Self.secrets.count { text.contains($0) } > 20)
  }
}
