import AutoMobileJournal

@testable import AutoMobileCollector

/// Everything that health counts, of two apps in three versions.
enum HealthDeliveries {
  static let start: Int64 = 1_700_000_000_000
  static let hour: Int64 = 3_600_000

  static var all: [Delivery] { [well, crashed, afterCrash, other, kept, flipped] }

  private static func launch(_ number: Int) -> LaunchID {
    LaunchID("00000000-0000-4000-8000-0000000000\(number)") ?? LaunchID()
  }

  private static func custom(_ app: inout Delivery, _ name: String, at time: Int64, _ properties: String) {
    app.event("custom", at: time, #""name":"\#(name)","properties":{\#(properties)}"#)
  }

  private static func frames(
    _ app: inout Delivery, _ screen: String, at time: Int64, slow: Int, frozen: Int = 0, ms: Int = 2000, worst: Int,
    isSecond: Bool = false
  ) {
    let scope = isSecond ? #","scope":"second""# : ""
    custom(
      &app, "Frames", at: time,
      #""screen":"\#(screen)","durationMs":\#(ms),"frames":\#(ms / 16),"slow":\#(slow),"frozen":\#(frozen),"worstMs":\#(worst)\#(scope)"#
    )
  }

  private static var well: Delivery {
    var app = Delivery(launch: launch(10))
    app.again = HealthFilter.day
    app.context(session: "h1", user: "mira")
    for index in 0..<20 {
      let early = index % 3 == 0 ? "" : #","preMainMs":\#(index)"#
      custom(
        &app, "App Launch", at: start + Int64(index) * hour / 2,
        #""kind":"\#(index % 4 == 0 ? "warm" : "cold")","totalMs":\#(100 + (index * 7) % 13)\#(early)"#)
      app.request(
        index % 3 == 0 ? "POST" : "GET", "https://api.example.com/v1/orders/\(index)",
        at: start + Int64(index) * hour / 3,
        status: [200, 201, 404, 500, 302][index % 5], ms: index == 7 ? nil : Double((index * 31) % 17) * 10)
    }
    frames(&app, "Menu", at: start + 1000, slow: 4, worst: 80)
    frames(&app, "Menu", at: start + 2 * hour, slow: 6, worst: 80)
    frames(&app, "Checkout", at: start + 3 * hour, slow: 2, frozen: 1, worst: 900)
    // Part of the visit that ended last, and of none.
    frames(&app, "Checkout", at: start + 3 * hour - 500, slow: 2, ms: 1000, worst: 900, isSecond: true)
    frames(&app, "Cart", at: start + 4 * hour, slow: 3, ms: 1000, worst: 50, isSecond: true)
    frames(&app, "Cart", at: start + 4 * hour + 1000, slow: 5, ms: 1000, worst: 70, isSecond: true)
    for index in 0..<5 {
      app.event(
        "interaction", at: start + Int64(index) * 1000,
        #""interactionType":"\#(index < 3 ? "rage_tap" : "dead_tap")","properties":{"text":"Pay \#(index % 2)","screen":"Cart"}"#
      )
    }
    for index in 0..<3 {
      app.event(
        "hang", at: start + Int64(index) * 2 * hour,
        #""durationMs":\#(800 + index * 300),"stackTrace":"","bundleId":"dev.example.shop","appVersion":"2.1""#)
    }
    app.ledger = LaunchLedger(recorded: 90, dropped: ["filtered": 2, "evicted": 1], torn: 1, final: true)
    return app
  }

  private static func crash(_ app: inout Delivery, at time: Int64, _ version: String) {
    app.event(
      "crash", at: time,
      #""errorDomain":"SIGSEGV","stackTrace":"","currentScreen":"Checkout","bundleId":"\#(app.bundle)","appVersion":"\#(version)""#
    )
  }

  private static var crashed: Delivery {
    var app = Delivery(launch: launch(11))
    app.again = HealthFilter.day
    app.context(session: "h2", user: "mira", version: "2.2")
    app.event("log", at: start + hour, #""level":2,"message":"before","filterName":"all""#)
    crash(&app, at: start + hour + 1, "2.2")
    app.ledger = LaunchLedger(recorded: 4, dropped: [:], torn: 0, final: false)
    return app
  }

  private static var afterCrash: Delivery {
    var app = Delivery(launch: launch(12))
    app.context(session: "h3", user: "noor", version: "2.2")
    app.event(
      "lifecycle", at: start + 2 * hour,
      #""state":"previous_launch_ended","details":{"verdict":"crash","evidence":"a report","launchId":"\#(launch(11))","#
        + #""lastSeen":"1500","memory":"412 of 450 MB","appVersion":"2.2"}"#)
    app.event("log", at: start + 2 * hour + 1, #""level":2,"message":"after","filterName":"all""#)
    app.ledger = LaunchLedger(recorded: 2, dropped: [:], torn: 0, final: true)
    return app
  }

  private static var other: Delivery {
    var app = Delivery("dev.example.shop2", launch: launch(13))
    app.context(session: "h1", user: "mira", version: "9")
    custom(&app, "App Launch", at: start + 5 * hour, #""kind":"cold","totalMs":5000"#)
    frames(&app, "Menu", at: start + 5 * hour, slow: 60, frozen: 3, worst: 3000)
    crash(&app, at: start + 5 * hour + 1, "9")
    app.request("GET", "https://api.example.com/v1/orders/1", at: start + 5 * hour, status: 503, ms: 9000)
    return app
  }

  static let telling = launch(14)

  /// A launch that keeps its events, and tells of two sessions in summaries: of its own, and of an earlier launch's with its end.
  private static var kept: Delivery {
    var app = Delivery(launch: telling)
    app.again = HealthFilter.day
    app.context(session: "h4", user: "kim", version: "2.2")
    func summary(
      _ session: String, revision: Int, isFinal: Bool, ended: Int64, _ counts: String, crashes: Int = 0, more: String
    ) -> String {
      #"{"eventType":"session_summary","timestamp":\#(start + 6 * hour),"session":"\#(session)","revision":\#(revision),"#
        + #""startedAt":\#(start + 5 * hour),"endedAt":\#(ended),"isFinal":\#(isFinal),"events":{\#(counts)},"#
        + #""requests":{"2xx":3,"5xx":1},"launchMs":250,"launchKind":"cold","crashes":\#(crashes),"keptEvents":10,"#
        + #""keptBytes":4096,\#(more)}"#
    }
    let own = #""contextId":1"#
    app.add(
      .event, summary("h4", revision: 1, isFinal: false, ended: start + 5 * hour + 1000, #""log":3"#, more: own))
    app.add(
      .event,
      summary(
        "h4", revision: 3, isFinal: true, ended: start + 6 * hour, #""log":9,"crash":1"#, crashes: 1,
        more: #""end":"crash","# + own))
    app.add(
      .event, summary("h4", revision: 2, isFinal: false, ended: start + 5 * hour + 2000, #""log":5"#, more: own))
    let told =
      #""ofLaunch":"\#(launch(20))","context":{"sessionId":"h5","userId":"ada","appVersion":"2.0","#
      + #""bundleId":"dev.example.shop"}"#
    app.add(
      .event, summary("h5", revision: 4, isFinal: false, ended: start + 6 * hour + 500, #""log":2"#, more: told))
    app.add(
      .event,
      #"{"eventType":"session_summary","timestamp":\#(start + 6 * hour),"session":"h5","revision":5,"sameAs":4,"#
        + #""isFinal":true,"end":"hang_kill","keptEvents":1,"keptBytes":10,"keptDays":7,\#(told)}"#)
    return app
  }

  /// A launch that sent everything at first. What had gone was removed before it began to keep the rest, and to count.
  private static var flipped: Delivery {
    var app = Delivery(launch: launch(15))
    app.context(session: "h6", user: "kim")
    for index in 0..<8 {
      app.event("log", at: start + Int64(index) * 1000, #""level":2,"message":"sent","filterName":"all""#)
    }
    app.add(
      .event,
      #"{"eventType":"session_summary","timestamp":\#(start + 500_000),"session":"h6","revision":1,"startedAt":\#(start),"#
        + #""endedAt":\#(start + 20_000),"isFinal":true,"end":"ended","events":{"log":5},"keptEvents":13,"keptBytes":4096,"#
        + #""keptDays":7,"contextId":1}"#)
    app.ledger = LaunchLedger(recorded: 15, dropped: ["expired": 2], torn: 0, final: false, kept: 13)
    return app
  }
}
