/// What waits on its way into ClickHouse.
struct ClickHouseBacklog: Sendable, Equatable {
  /// In the log, acknowledged and not confirmed by ClickHouse.
  var bytes = 0
  /// Sent, or about to be, and not confirmed.
  var batches = 0
  var rows = 0
  /// Deliveries whose contexts nobody knows yet: another collector may have them.
  var deliveries = 0
  /// For how long the oldest of the batches has waited, in seconds.
  var seconds = 0.0
  /// Numbers of the shards that do not take their rows.
  var shards: [Int] = []
  /// Why it does not advance; nil when it does.
  var problem: String?

  /// Members, inside an object that the caller has begun. Who reads them may be anybody: no addresses.
  func write(to json: inout JSONOutput) {
    json.object("clickhouse") {
      $0.member("backlogBytes", Int64(bytes))
      $0.member("batches", Int64(batches))
      $0.member("rows", Int64(rows))
      $0.member("deliveries", Int64(deliveries))
      $0.member("oldestSeconds", number: (seconds * 10).rounded() / 10)
      $0.array("silentShards") { for shard in shards { $0.number(Int64(shard)) } }
    }
  }

  /// What is wrong, for anybody.
  var sentence: String? {
    guard problem != nil else { return nil }
    guard !shards.isEmpty else {
      return "batches for ClickHouse cannot be made: what apps send is kept in the collector's log"
    }
    let numbers = shards.map(String.init).joined(separator: ", ")
    return
      "ClickHouse's shard \(numbers) takes nothing now: \(batches) batches of \(rows) rows wait, and what apps send is kept in the collector's log"
  }
}

/// How batches are made of what is in the log.
struct BatchLimits: Sendable {
  /// So many events are sent at once …
  var events = 5000
  /// … and fewer when the first of them has waited so long, in seconds.
  var patience = 1.0
  /// No more than these are in one batch, where more is there already. Bytes are those of the log.
  var mostEvents = 20_000
  var mostBytes = 16 << 20
  /// For so long, in seconds, a delivery waits for a context that nobody knows; and how many of them do. Beyond, what names it is taken
  /// for its launch's own session.
  var contextPatience = 15.0
  var mostWaiting = 256
  /// One that names more such contexts does not wait.
  var mostQuestions = 32
  /// How often it is asked for them, in seconds.
  var askEvery = 0.5
  /// For so long, in seconds, everything waits for an answer; then what needs none goes on, and the answer is taken when it comes.
  var lookupPatience = 1.0
  /// Batches that are under way at one time: with a shard that is away, those of the others go on as long.
  var underWay = 4
  /// Before a shard that takes nothing is told of.
  var tellAfter: Duration = .seconds(5)

  init() {}
}
