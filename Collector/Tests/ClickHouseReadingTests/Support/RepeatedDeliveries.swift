import AutoMobileJournal

@testable import AutoMobileCollector

/// What devices send again, and in which ways.
enum RepeatedDeliveries {
  static let start: Int64 = 1_700_000_300_000

  /// A device that sends again cuts its deliveries as it likes.
  static let overlapping = launch(1)
  /// A delivery comes again as it was.
  static let same = launch(2)
  /// A record is twice in one delivery.
  static let twice = launch(3)
  /// What came first is sent last.
  static let late = launch(4)
  /// A delivery fills the gap of another one.
  static let gap = launch(5)
  /// Two sessions take turns in each delivery.
  static let turns = launch(6)
  /// Breadcrumbs come behind the events that stand around them.
  static let crumbs = launch(7)
  /// Records are in another order than their positions.
  static let mixed = launch(8)

  /// Those of which only events can tell.
  static let read: Set<String> = Set([overlapping, twice, gap, mixed].map(\.description))

  static var all: [Delivery] {
    let (mostly, exactly, once) = (app(overlapping), app(same), app(twice))
    let (last, hole, order) = (app(late), app(gap), app(mixed))
    let (both, dropped) = (inTurns, withCrumbs)
    return [
      mostly.part([0, 1, 2, 3, 4]), mostly.part([0, 3, 4, 5, 6], received: Twins.received + 5000),
      exactly.part([0, 1, 2, 3]), exactly.part([0, 1, 2, 3], received: Twins.received + 86_400_000),
      exactly.part([0, 4, 5]), once.part([0, 1, 2, 2, 3]), last.part([0, 5, 6]), last.part([0, 1, 2, 3]),
      hole.part([0, 1, 2, 6]), hole.part([0, 4, 5]), both.part([0, 1, 2, 3, 4, 5]), both.part([0, 1, 6, 7, 8]),
      dropped.part([0, 1, 3, 5]), dropped.part([0, 2, 4]), order.part([0, 3, 1, 2]),
    ]
  }

  private static func launch(_ number: Int) -> LaunchID {
    LaunchID("50000000-0000-4000-8000-00000000000\(number)") ?? LaunchID()
  }

  private static func app(_ launch: LaunchID) -> Delivery {
    var app = Delivery(launch: launch)
    app.context(session: "sent \(launch.description.suffix(1))", user: "ada")
    for index in 1...6 { log(&app, index) }
    return app
  }

  private static func log(_ app: inout Delivery, _ index: Int, context: Int = 1) {
    app.event(
      "log", at: start + Int64(index) * 1000, context: context,
      #""level":\#(index % 3 == 0 ? 4 : 2),"message":"number \#(index)","filterName":"all""#)
  }

  private static var inTurns: Delivery {
    var app = Delivery(launch: turns)
    app.context(1, session: "one in turn")
    app.context(2, session: "other in turn")
    for index in 2...8 { log(&app, index, context: 1 + index % 2) }
    return app
  }

  private static var withCrumbs: Delivery {
    var app = Delivery(launch: crumbs)
    app.context(session: "crumbs")
    for index in 1...5 {
      if index % 2 == 1 {
        log(&app, index)
      } else {
        app.add(.breadcrumb, #"{"timestamp":\#(Double(start) / 1000),"message":"a crumb"}"#)
      }
    }
    return app
  }
}
