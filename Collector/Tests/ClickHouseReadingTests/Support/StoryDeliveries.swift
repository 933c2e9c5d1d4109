import AutoMobileJournal

@testable import AutoMobileCollector

/// Sessions that tell of everything that a list, a timeline and a search have to know: of two projects, over several launches, with
/// ends, breadcrumbs, broken records and crashes.
enum StoryDeliveries {
  static let start: Int64 = 1_700_000_000_000
  static let shop = "dev.example.shop"
  static let other = "dev.example.other"

  static var all: [Delivery] { [first, ending, second, third, stranger, twin] + many }

  static func launch(_ number: Int) -> LaunchID {
    LaunchID("10000000-0000-4000-8000-\(String(repeating: "0", count: 12 - "\(number)".count))\(number)") ?? LaunchID()
  }

  /// A session that crashes, with a ledger and a record that cannot be read.
  private static var first: Delivery {
    var app = Delivery(shop, launch: launch(1))
    app.context(session: "crashing", user: "mira@example.com", tags: #"{"plan":"pro","city":"Köln"}"#)
    app.event("navigation", at: start, #""destination":"Café Menü","source":"custom","arguments":{},"metadata":{}"#)
    app.event(
      "log", at: start + 10,
      #""level":2,"message":"Bonjour the CAFÉ is open","filterName":"all","tag":"ui","metadata":{"order":"R-20","count":3}"#
    )
    app.event("log", at: start + 20, #""level":4,"message":"card declined: 100% \"sure\"","filterName":"all""#)
    app.add(.breadcrumb, #"{"timestamp":\#(Double(start + 25) / 1000),"message":"a crumb of declined bread"}"#)
    app.event("custom", at: start + 30, #""name":"checkout_started","properties":{"amount":12.5,"isGift":true}"#)
    app.request("POST", "https://api.example.com/v1/pay?x=1", at: start + 40, status: 503, ms: 2500)
    app.request("GET", "https://api.example.com/v1/menu", at: start + 40, status: 200, ms: 20)
    app.event("navigation", at: start + 50, #""destination":"Checkout","source":"custom","arguments":{},"metadata":{}"#)
    app.event("storage_changed", at: start + 60, #""key":"cart","currentScreen":"Checkout","durationMs":5"#)
    app.event(
      "crash", at: start + 70,
      #""signal":"SIGSEGV","reason":"bad access","frames":[{"symbol":"Cart.total(of:)","file":"Cart.swift","line":3}]"#)
    app.event("log", at: start + 70, #""level":1,"message":"of the same millisecond","filterName":"all""#)
    app.add(.event, #"{"eventType":"log","timestamp":"no number"#)
    app.ledger = LaunchLedger(recorded: 14, dropped: ["expired": 2], final: false)
    app.again = 86_400_000
    return app
  }

  /// The launch after it, which tells how that one ended, and goes on with its session for a while.
  private static var second: Delivery {
    var app = Delivery(shop, launch: launch(2))
    app.context(1, session: "crashing", user: "mira@example.com", version: "2.2")
    app.event(
      "lifecycle", at: start + 60_000,
      #""state":"previous_launch_ended","details":{"launchId":"\#(launch(1))","verdict":"crash","evidence":"a report","lastSeen":"\#(start + 70)"}"#
    )
    app.event(
      "lifecycle", at: start + 60_001,
      #""state":"previous_launch_ended","details":{"launchId":"\#(launch(20))","verdict":"out_of_memory","evidence":"a guess","memory":"900/1000"}"#
    )
    app.context(2, session: "calm", user: "noor", version: "2.10", tags: #"{"plan":"free"}"#, model: "iPad13,1")
    app.event("log", at: start + 70_000, context: 2, #""level":3,"message":"slow network","filterName":"all""#)
    app.event(
      "handled_exception", at: start + 70_010, context: 2,
      #""errorDomain":"Pay","errorMessage":"no funds","customMessage":"while paying""#)
    app.ledger = LaunchLedger(recorded: 3, dropped: [:], final: true)
    // The session goes on on another day.
    app.received += 86_400_000
    return app
  }

  /// A session whose last launch is told to have ended.
  private static var ending: Delivery {
    var app = Delivery(shop, launch: launch(20))
    app.context(session: "ending", user: "noor", version: "2.0", model: "iPad13,1")
    app.event("log", at: start + 30_000, #""level":2,"message":"the last words","filterName":"all""#)
    return app
  }

  /// A launch that names no session.
  private static var third: Delivery {
    var app = Delivery(shop, launch: launch(3))
    app.add(.event, #"{"eventType":"log","timestamp":\#(start + 90_000),"level":2,"message":"nobody's"}"#)
    return app
  }

  private static var stranger: Delivery {
    var app = Delivery(other, launch: launch(4))
    app.context(session: "strange", user: "eve", version: "9.0", tags: #"{"plan":"pro"}"#, model: "Pixel 8")
    app.event("log", at: start + 100_000, #""level":5,"message":"declined by a stranger","filterName":"all""#)
    app.event("hang", at: start + 100_500, #""durationMs":900"#)
    return app
  }

  /// Called as one of the other project is.
  private static var twin: Delivery {
    var app = Delivery(other, launch: launch(5))
    app.context(session: "calm", user: "eve", version: "9.1", model: "Pixel 8")
    app.event("log", at: start + 110_000, #""level":2,"message":"of a twin","filterName":"all""#)
    return app
  }

  /// Enough to turn pages.
  private static var many: [Delivery] {
    (0..<7).map { number in
      var app = Delivery(shop, launch: launch(10 + number))
      app.context(session: "many-\(number)", user: "ann", version: "3.\(number)")
      for index in 0...number {
        app.event(
          "log", at: start + 200_000 + Int64(number * 1000 + index * number),
          #""level":2,"message":"line \#(index)","filterName":"all""#)
      }
      return app
    }
  }
}
