import AutoMobileHTTP
import Foundation

extension HAREntry {
  /// The last request of an exchange, which is the only one when there were no redirects.
  init(_ exchange: HTTPExchange, frames: some Sequence<HTTPWebSocketFrame>) {
    // With redirects, the last request began when the last of them came.
    let beginning = HARTimings.plausible(exchange.redirects.last?.atMs) ?? 0
    let total = exchange.durationMs.map { max(0, $0 - beginning) }
    let version = ProtocolName.display(exchange.transport?.protocolName)
    timings = exchange.timings.map { HARTimings($0, total: total) } ?? HARTimings(total: total)
    time = timings.time
    startedDateTime = ExportClock.iso8601(Self.time(of: exchange, plus: beginning))
    request = Request(exchange, hop: exchange.redirects.count, httpVersion: version)

    response = Response(httpVersion: version)
    response.status = exchange.statusCode ?? 0
    response.statusText = exchange.statusCode.map(StatusPhrase.of) ?? ""
    response.headers = Self.headers(exchange.responseHeaders)
    response.cookies = exchange.responseHeaders?.value(of: "Set-Cookie").map(HARCookies.received) ?? []
    let type = exchange.contentType ?? exchange.responseHeaders?.value(of: "Content-Type")
    response.content = Content(exchange.responseBody, type: exchange.responseMediaType, header: type)
    if (300...399).contains(response.status) {
      response.redirectURL = exchange.responseHeaders?.value(of: "Location") ?? ""
    }
    response.bodySize = exchange.statusCode == nil ? -1 : Self.bodySize(of: exchange)
    response._transferSize = exchange.transport?.bytesReceived
    response._error = exchange.error?.message
    if exchange.isUnfinished { response.comment = UnfinishedText.text(isUnderWay: nil) }

    serverIPAddress = exchange.transport?.remoteAddress
    let messages = frames.map(WebSocketMessage.init)
    if !messages.isEmpty || Self.isWebSocket(exchange) {
      _resourceType = "websocket"
      _webSocketMessages = messages
    }
    if let rule = exchange.mockRule {
      comment = "Answered by the mock rule \(rule), not by the network."
      _mocked = true
      _mockRule = rule
    }
    _requestId = exchange.id.isEmpty ? nil : exchange.id
    _errorDomain = exchange.error?.domain
    _errorCode = exchange.error?.code
    _graphQLOperation = exchange.graphQLOperation
    _tracerId = exchange.tracerId
    _traceparent = exchange.traceparent
    _isCached = exchange.transport?.isCached
    _isReused = exchange.transport?.isReused
    _isProxied = exchange.transport?.isProxied
    _tlsVersion = exchange.transport?.tlsVersion
    _source = exchange.source
  }

  /// An answer that sent the client elsewhere, as an entry of its own.
  ///
  /// - Parameter hop: which of the exchange's redirects.
  init(_ exchange: HTTPExchange, redirect: HTTPRedirect, hop: Int) {
    let previous = hop > 0 ? HARTimings.plausible(exchange.redirects[hop - 1].atMs) : 0
    let end = HARTimings.plausible(redirect.atMs)
    let version = ProtocolName.display(exchange.transport?.protocolName)
    timings = HARTimings(total: end.flatMap { end in previous.map { max(0, end - $0) } })
    time = timings.time
    startedDateTime = ExportClock.iso8601(Self.time(of: exchange, plus: previous ?? 0))
    request = Request(exchange, hop: hop, httpVersion: version)
    response = Response(httpVersion: version)
    response.status = redirect.statusCode
    response.statusText = StatusPhrase.of(redirect.statusCode)
    response.redirectURL = redirect.location
    response.comment = "Headers and body of a redirect are not recorded."
    _requestId = exchange.id.isEmpty ? nil : exchange.id
  }

  private static func time(of exchange: HTTPExchange, plus milliseconds: Double) -> Int64 {
    let (sum, overflow) = exchange.startedAt.addingReportingOverflow(Int64(exactly: milliseconds.rounded()) ?? 0)
    return overflow ? exchange.startedAt : sum
  }

  private static func isWebSocket(_ exchange: HTTPExchange) -> Bool {
    exchange.statusCode == 101 || exchange.url.hasPrefix("ws://") || exchange.url.hasPrefix("wss://")
  }
}

extension HAREntry.Request {
  /// - Parameter hop: how many redirects came before.
  init(_ exchange: HTTPExchange, hop: Int, httpVersion: String) {
    self.httpVersion = httpVersion
    method = exchange.method
    url = exchange.url
    var hasBody = true
    for redirect in exchange.redirects.prefix(hop) {
      url = Self.destination(of: redirect)
      // Every client makes a GET of these (RFC 9110, section 15.4).
      let becomesGET =
        redirect.statusCode == 303 && method != "HEAD" || [301, 302].contains(redirect.statusCode) && method == "POST"
      if becomesGET {
        method = "GET"
        hasBody = false
      }
    }
    queryString = FormFields.query(of: url).map { HAREntry.NameValue(name: $0.name, value: $0.value) }
    let type = exchange.requestHeaders?.value(of: "Content-Type")
    if hasBody {
      postData = HAREntry.PostData(exchange.requestBody, type: exchange.requestMediaType, header: type)
      bodySize = exchange.requestBody.map { max(0, $0.size) } ?? -1
    } else {
      bodySize = 0
    }
    if hop == 0 {
      headers = HAREntry.headers(exchange.requestHeaders)
      cookies = exchange.requestHeaders?.value(of: "Cookie").map(HARCookies.sent) ?? []
    } else {
      comment = "Followed a redirect; headers were recorded for the first request only."
    }
  }

  /// A location may be relative to where it came from.
  private static func destination(of redirect: HTTPRedirect) -> String {
    URL(string: redirect.location, relativeTo: URL(string: redirect.url))?.absoluteString ?? redirect.location
  }
}

extension HAREntry.WebSocketMessage {
  init(_ frame: HTTPWebSocketFrame) {
    type = frame.direction == .sent ? "send" : "receive"
    time = Double(frame.timestamp) / 1000
    opcode =
      switch frame.kind {
      case .text: 1
      case .binary: 2
      case .close: 8
      case .ping: 9
      case .pong: 10
      }
    data = (frame.kind == .text ? frame.payload?.text : nil) ?? frame.payload?.bytes?.base64EncodedString() ?? ""
  }
}
