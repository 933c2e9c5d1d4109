import AutoMobileState

/// Where much comes there is a row for each half second and collector. Once nobody goes on from between them, an hour of them is as good
/// as a row for each collector.
extension ArrivalRows {
  private static let hour: Int64 = 3_600_000
  /// Rows that are looked at in one go.
  private static let most = 20_000

  /// Puts what came before a time together, hour by hour. Places stay as many as they were; only which number has which of them is
  /// another matter then, inside of an hour that everybody has left behind.
  static func fold(before time: Int64, in state: borrowing StateWriting) throws {
    let (limit, resting) = try cursors(in: state.reading)
    // What has been folded has no time.
    let rows = try state.rows(
      "SELECT place, writer, first, last, at FROM arrival WHERE at > 0 AND at < ?1 ORDER BY place LIMIT ?2", time, most)
    var group: [ArrivalRange] = []
    var hour: Int64 = -1
    for row in rows {
      let range = try ArrivalRange(place: row[0], writer: row[1], first: row[2], last: row[3])
      let at: Int64 = try row[4]
      let own = at / Self.hour
      guard range.end <= limit else { break }
      let isLeft = resting.contains { $0 > range.place && $0 < range.end }
      if isLeft || own != hour || resting.contains(range.place) || group.last.map({ $0.end != range.place }) ?? false {
        try put(&group, in: state)
      }
      hour = own
      group.append(range)
      if isLeft { try put(&group, in: state) }
    }
    try put(&group, in: state)
  }

  /// How far everybody is who goes on at this moment, and where those are who rest.
  private static func cursors(in state: borrowing StateReading) throws -> (limit: Int64, resting: [Int64]) {
    var running: [Int64] = []
    var resting: [Int64] = []
    let lanes = try state.rows(
      "SELECT cursor, settings, signal FROM forwarder_lane JOIN forwarder ON forwarder.id = forwarder")
    for lane in lanes {
      let (cursor, text, signal): (Int64, String, String) = try (lane[0], lane[1], lane[2])
      if rests(text, signal) { resting.append(cursor) } else { running.append(cursor) }
    }
    for row in try state.rows("SELECT \(Ask.columns) FROM ask WHERE state <> 'gone'") {
      // One of a newer collector is followed by nobody when that is gone.
      if let ask = try Ask(row) { running.append(ask.seen) } else { resting.append(try row[18]) }
    }
    return (running.min() ?? .max, resting)
  }

  /// Whether nobody works on a lane: its forwarder is paused, or wants nothing that would be in it.
  private static func rests(_ text: String, _ signal: String) -> Bool {
    // One that a newer collector has set may go on.
    guard let settings = ForwarderStore.settings(text), let signal = ForwardSignal(rawValue: signal) else {
      return false
    }
    return settings.isPaused || ForwardFilter(settings, signal).isEmpty
  }

  private static func put(_ group: inout [ArrivalRange], in state: borrowing StateWriting) throws {
    guard let first = group.first, let last = group.last else { return }
    defer { group = [] }
    var folded: [Int64: ArrivalRange] = [:]
    for range in group {
      guard let before = folded[range.writer] else {
        folded[range.writer] = range
        continue
      }
      // Never so: each writer says what follows what it has said.
      guard before.last == range.first else { return try keep(first, last, in: state) }
      folded[range.writer]?.last = range.last
    }
    guard folded.count < group.count else { return try keep(first, last, in: state) }
    try state.execute("DELETE FROM arrival WHERE place >= ?1 AND place < ?2", first.place, last.end)
    var place = first.place
    for (writer, range) in folded.sorted(by: { $0.key < $1.key }) {
      try state.execute(
        "INSERT INTO arrival(place, writer, first, last, at) VALUES (?1, ?2, ?3, ?4, 0)", place, writer, range.first,
        range.last)
      place += (range.last - range.first) / FrameNumbers.step
    }
  }

  private static func keep(_ first: ArrivalRange, _ last: ArrivalRange, in state: borrowing StateWriting) throws {
    try state.execute("UPDATE arrival SET at = 0 WHERE place >= ?1 AND place <= ?2", first.place, last.place)
  }
}
