import AutoMobileJournal

@testable import AutoMobileCollector

/// What two apps recorded: with one session of the same name, requests of every kind, a trace over two sessions.
enum ShopDeliveries {
  static let start: Int64 = 1_700_000_000_000
  static let trace = "0af7651916cd43dd8448eb211c80319c"

  static var all: [Delivery] { [shop, other, later] }

  /// Session `s1` of the shop.
  private static var shop: Delivery {
    var app = Delivery(launch: launch(1))
    app.again = HealthFilter.day
    app.context(session: "s1", user: "mira@example.com", tags: #"{"tier":"gold","note":"a\"b,c"}"#)
    let urls = [
      "https://api.example.com/v1/orders/17?page=2", "https://api.example.com/v1/cart", "https://img.example.com/a.png",
    ]
    for index in 0..<12 {
      let url = urls[index % 3]
      // Several in one millisecond.
      app.request(
        index % 4 == 1 ? "POST" : "GET", url, at: start + Int64(index / 2) * 1000,
        status: [200, 404, 503, 201][index % 4],
        ms: index == 5 ? nil : Double((index * 37) % 11) * 100,
        #""requestBodySize":\#(index * 10),"responseBodySize":\#(index * 1000)"#)
    }
    app.request(
      "GET", "https://api.example.com/v1/pay", at: start + 7000, status: nil, ms: 30_000,
      #""error":"The request timed out.","errorDomain":"NSURLErrorDomain","errorCode":-1001"#)
    app.request("GET", "https://api.example.com/v1/slow", at: start + 7100, status: nil, ms: nil, #""unfinished":true"#)
    app.request(
      "POST", "https://api.example.com/graphql", at: start + 8000, status: 200, ms: 5,
      #""graphQLOperation":"PlaceOrder","mockRule":"cart is full","tracerId":"t-1","responseBody":"Card Declined: \"Größe\" 100%""#
    )
    app.request(
      "GET", "wss://live.example.com/feed", at: start + 9000, status: 101, ms: 10_000, #""requestId":"ws-1""#)
    for index in 0..<4 {
      app.event(
        "websocket_frame", at: start + 9000 + Int64(index) * 10,
        #""url":"wss://live.example.com/feed","direction":"sent","type":"text","payload":"n\#(index)","#
          + #""requestId":"\#(index == 3 ? "ws-2" : "ws-1")""#)
    }
    app.event(
      "websocket_frame", at: start + 9100,
      #""url":"wss://live.example.com/feed","direction":"received","type":"text","payload":"no name""#)
    span(&app, "checkout", span: "00f067aa0ba902b7", at: start + 100, ms: nil)
    span(
      &app, "checkout", span: "00f067aa0ba902b7", at: start + 100, ms: 400,
      #","status":"error","attributes":{"cart":3}"#)
    span(&app, "price", span: "00f067aa0ba902b8", parent: "00f067aa0ba902b7", at: start + 150, ms: 20)
    span(&app, "background", span: "00f067aa0ba902b9", at: start + 160, ms: nil)
    app.request(
      "GET", "https://api.example.com/v1/price", at: start + 155,
      #""traceparent":"00-\#(trace)-00f067aa0ba902c0-01","traceId":"\#(trace)","parentSpanId":"00f067aa0ba902b8""#)
    app.event("log", at: start + 200, #""level":2,"message":"card declined","filterName":"all","tag":"pay""#)
    app.event("custom", at: start + 300, #""name":"Added to cart","properties":{"name":"inner"}"#)
    app.event("navigation", at: start + 10, #""destination":"Cart","source":"custom","arguments":{},"metadata":{}"#)
    return app
  }

  /// Session `s1` of another app, whose names look like the first one's.
  private static var other: Delivery {
    var app = Delivery("dev.example.shop2", launch: launch(2))
    app.again = 5
    app.context(session: "s1", user: "noor", version: "2.10", model: "Pixel 8")
    for index in 0..<5 {
      app.request("GET", "https://api.example.com/v1/orders/\(index)", at: start + Int64(index) * 500, ms: 50)
    }
    span(&app, "remote", span: "00f067aa0ba902d1", parent: "00f067aa0ba902c0", at: start + 156, ms: 2)
    return app
  }

  /// Another launch of the shop, in which a span ends that began in the first session.
  private static var later: Delivery {
    var app = Delivery(launch: launch(3))
    app.context(session: "s2", user: "noor", version: "2.1 (17)", tags: #"{"tier":"silver"}"#)
    span(&app, "background", span: "00f067aa0ba902b9", at: start + 160, ms: 90_000)
    app.request("DELETE", "https://api.example.com/v1/cart", at: start + 60_000, status: 204, ms: 80)
    app.request("GET", "https://api.example.com/v1/mira", at: start + 61_000, status: 500, ms: 81)
    return app
  }

  private static func span(
    _ app: inout Delivery, _ name: String, span: String, parent: String? = nil, at time: Int64, ms: Double?,
    _ more: String = ""
  ) {
    let parent = parent.map { #","parentSpanId":"\#($0)""# } ?? ""
    let duration = ms.map { #","durationMs":\#($0)"# } ?? ""
    app.event(
      "span", at: time, #""name":"\#(name)","traceId":"\#(trace)","spanId":"\#(span)"\#(parent)\#(duration)\#(more)"#)
  }

  private static func launch(_ number: Int) -> LaunchID {
    LaunchID("00000000-0000-4000-8000-00000000000\(number)") ?? LaunchID()
  }
}

extension NetworkRow {
  /// Without its number, which each store chooses for itself.
  func described(_ events: [Int64: String]) -> String {
    var row = self
    row.event = 0
    row.match?.event = 0
    // Of two sessions that are called the same, stores that number none have one name.
    row.sessionId = String(sessionId.prefix { $0 != "@" })
    var json = JSONOutput()
    row.write(to: &json)
    return "\(events[event] ?? "?") \(String(buffer: json.buffer))"
  }
}
