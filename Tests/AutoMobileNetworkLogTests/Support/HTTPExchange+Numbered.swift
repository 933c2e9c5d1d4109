import AutoMobileHTTP

extension HTTPExchange {
  static func numbered(_ number: Int, at time: Int64? = nil) -> HTTPExchange {
    var exchange = HTTPExchange(
      id: "\(number)", startedAt: time ?? 1_700_000_000_000 + Int64(number), method: "GET",
      url: "https://api.example/\(number)")
    exchange.statusCode = 200
    exchange.durationMs = Double(number)
    return exchange
  }

  /// The same when it begins.
  static func begun(_ number: Int, at time: Int64? = nil) -> HTTPExchange {
    var exchange = numbered(number, at: time)
    (exchange.statusCode, exchange.durationMs) = (nil, nil)
    exchange.requestHeaders = ["X-Client": "iOS"]
    exchange.tracerId = "conversation-\(number)"
    return exchange
  }
}
