import AutoMobileJournal

@testable import AutoMobileCollector

/// Failures, hangs and crashes of two apps, in the order in which they come.
enum IssueDeliveries {
  static let start: Int64 = 1_700_000_000_000
  static let hour: Int64 = 3_600_000
  /// When they are asked for.
  static let now: Int64 = start + 40 * hour
  static let other = "dev.example.shop2"

  /// Of one launch and session.
  static func delivery(
    _ number: Int, _ bundle: String = "dev.example.shop", user: String? = nil, version: String = "2.1",
    again: Int64 = 0, _ fill: (inout Delivery) throws -> Void
  ) rethrows -> Delivery {
    let name = String(number)
    var app = Delivery(
      bundle,
      launch: LaunchID("00000000-0000-4000-8000-\(String(repeating: "0", count: 12 - name.count))\(name)") ?? LaunchID()
    )
    app.again = again
    app.context(
      session: "session-\(number)", user: user, version: version, model: number % 2 == 0 ? "iPad13,1" : "iPhone15,2")
    try fill(&app)
    return app
  }

  static func first(_ program: CheckoutProgram) throws -> [Delivery] {
    [
      try delivery(1, user: "mira", again: HealthFilter.day) { app in
        app.failure("Card 4711 of “Mira” was declined", at: start + 1)
        app.failure("Card 4712 of “Mira” was declined", at: start + 2 * hour)
        app.event("crash", at: start + 3 * hour, try program.crash(in: "price"))
        app.event(
          "hang", at: start + 4 * hour, #""durationMs":2500.5,"stackTrace":"0 Feed.layout()","currentScreen":"Feed""#)
      },
      try delivery(2, user: "noor", version: "2.2") { app in
        app.failure("Card 99 of “Noor” was declined", at: start + 5 * hour)
        app.failure("The network is gone", at: start + 6 * hour, domain: "NetworkError")
        app.event(
          "hang", at: start + 7 * hour, #""durationMs":4000,"stackTrace":"0 Feed.layout()","currentScreen":"Feed""#)
        app.event("crash", at: start + 8 * hour, try program.crash(in: "price", isNamed: true))
      },
      delivery(3, other, user: "mira", version: "9", again: 5) { app in
        app.failure("Card 4711 of “Mira” was declined", at: start + 9 * hour)
      },
    ]
  }

  /// After the failure was resolved in 2.3: of a version that is in use still, and of the one in which it was to be over.
  static let second = [
    delivery(4, user: "mira", version: "2.1") { $0.failure("Card 1 of “Mira” was declined", at: start + 20 * hour) },
    delivery(5, user: "eve", version: "2.3", again: 7) {
      $0.failure("Card 2 of “Eve” was declined", at: start + 21 * hour)
    },
  ]

  /// After the network's failure was merged, and the crash was resolved that is known by its symbols.
  static func third(_ program: CheckoutProgram) throws -> [Delivery] {
    [
      try delivery(6, user: "ann", version: "2.4", again: HealthFilter.day) { app in
        app.failure("The network is gone", at: start + 30 * hour, domain: "NetworkError")
        app.event("crash", at: start + 31 * hour, try program.crash(in: "price", offset: 10))
        app.event("crash", at: start + 32 * hour, try program.crash(in: "refund"))
      }
    ]
  }
}

extension Delivery {
  mutating func failure(_ message: String, at time: Int64, domain: String = "PaymentError") {
    event(
      "handled_exception", at: time,
      #""errorDomain":"\#(domain)","customMessage":"\#(message)","stackTrace":"0 Cart.pay()","currentScreen":"Pay""#)
  }
}
