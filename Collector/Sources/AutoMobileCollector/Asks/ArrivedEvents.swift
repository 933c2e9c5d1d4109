/// Events that have arrived after a place, counted for those who asked for them.
struct ArrivedEvents: Sendable {
  /// The asks as they stood.
  var asks: [OpenAsk] = []
  /// How many, by ask.
  var counts: [Int64: Int64] = [:]
  /// The last place that was looked at.
  var last: Int64?
  /// Whether there may be more.
  var isFull = false

  struct Event {
    var place: Int64
    var time: Int64
    var received: Int64
  }

  init() {}

  /// Those of whom somebody has heard: what came before any app had heard of an ask came for another reason.
  var told: [OpenAsk] { asks.filter { $0.ask.toldAt != nil } }

  /// Counts what came in a session while somebody used the app.
  mutating func count(_ events: [Event], in session: ArrivedSession, user: String?) {
    for open in told where open.isAbout(session, user: user) {
      let ask = open.ask
      guard let toldAt = ask.toldAt else { continue }
      let count = events.count { $0.place > ask.seen && $0.received >= toldAt && ask.admits($0.time) }
      if count > 0 { counts[ask.id, default: 0] += Int64(count) }
    }
  }
}
