import AutoMobileCollector
import CZlib
import Foundation

/// What is stored for a million events: `collector-bench bytes [--events N] [--sessions N] [--clickhouse]`.
///
/// A short and a long kind of event, each with and without full text: what an event takes, and what its length adds. Then the
/// arithmetic of `automobile size` is compared with a fifth index, of the mixture that the viewer's figures have. With `--clickhouse` the
/// same is done with two shards of ClickHouse on this machine.
enum BytesFigure {
  /// How far the arithmetic may be from what is there.
  private static let tolerance = 0.2

  static func run(_ value: (String) -> String?, onShards: Bool) throws {
    let events = value("--events").flatMap { Int($0) } ?? 200_000
    if onShards { return try runOnShards(events, value("--sessions").flatMap { Int($0) } ?? 200) }
    var points: [Point] = []
    for words in [6, 60] {
      for fullText in [false, true] {
        let point = try measure(PlainEvents(count: events, words: words), fullText: fullText)
        print("  \(point)")
        points.append(point)
      }
    }
    let (short, shortText, long, longText) = (points[0], points[1], points[2], points[3])
    let each = (long.indexed - short.indexed) / (long.json - short.json)
    let eachText = (longText.indexed - long.indexed - shortText.indexed + short.indexed) / (long.json - short.json)
    print(
      """
        an event of n bytes takes \(rounded(short.indexed - each * short.json)) + \(rounded(each)) n bytes of the index, and with \
      full text \(rounded(shortText.indexed - short.indexed - eachText * short.json)) + \(rounded(eachText)) n more
      """)
    let sessions = value("--sessions").flatMap { Int($0) } ?? 200
    for fullText in [false, true] {
      let point = try measure(Story(sessions: sessions, events: events), fullText: fullText)
      var fleet = Fleet(devices: Double(sessions))
      (fleet.sessions, fleet.events, fleet.days) = (1, Double(events) / Double(sessions), 1)
      (fleet.eventBytes, fleet.fullText) = (point.json, fullText)
      let expected = SizingEstimate(fleet).indexBytes / Double(events)
      let share = expected / point.indexed - 1
      print("  a mixture: \(point); automobile size says \(rounded(expected)): \(rounded(share * 100)) % off")
      guard abs(share) <= tolerance else { throw Failure("the arithmetic of automobile size is wrong") }
    }
  }

  private static func runOnShards(_ events: Int, _ sessions: Int) throws {
    let points = try [6, 60].map { words in
      let point = try stored(PlainEvents(count: events, words: words))
      print("  \(rounded(point.json)) bytes of JSON: \(rounded(point.stored)) in ClickHouse")
      return point
    }
    let each = (points[1].stored - points[0].stored) / (points[1].json - points[0].json)
    print(
      "  an event of n bytes takes \(rounded(points[0].stored - each * points[0].json)) + \(rounded(each)) n bytes of the shards"
    )
    let mixture = try stored(Story(sessions: sessions, events: events))
    var fleet = Fleet(devices: Double(sessions))
    (fleet.sessions, fleet.events, fleet.days) = (1, Double(events) / Double(sessions), 1)
    fleet.eventBytes = mixture.json
    let expected = SizingEstimate(fleet).storedBytes / Double(events)
    let share = expected / mixture.stored - 1
    print(
      "  a mixture: \(rounded(mixture.json)) bytes of JSON, \(rounded(mixture.stored)) in ClickHouse; automobile size says \(rounded(expected)): \(rounded(share * 100)) % off"
    )
    guard abs(share) <= tolerance else { throw Failure("the arithmetic of automobile size is wrong") }
  }

  private static func stored(_ load: some Recording) throws -> (json: Double, stored: Double) {
    let shards = try Shards()
    let bytes = try Server.withDirectory { directory in
      let server = try Server(directory: directory, fullText: false, store: shards.place)
      defer { server.stop() }
      try load.send(to: server.port)
      try server.waitForIndex(load.events)
      return try shards.stored(load.events)
    }
    let sample = load.sample
    return (
      Double(sample.reduce(0) { $0 + $1.utf8.count }) / Double(sample.count), Double(bytes) / Double(load.events)
    )
  }

  /// Bytes for each event.
  private struct Point: CustomStringConvertible {
    var json: Double
    var sent: Double
    var indexed: Double
    var fullText: Bool

    var description: String {
      "\(rounded(json)) bytes of JSON\(fullText ? ", full text" : ""): \(rounded(indexed)) bytes in the index; "
        + "compressed \(rounded(sent / json)) of it"
    }
  }

  /// What the collector says of its index: the pages that are used, as retention counts them.
  private static func measure(_ load: some Recording, fullText: Bool) throws -> Point {
    let directory = URL(filePath: NSTemporaryDirectory()).appending(path: "bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try Server(directory: directory, fullText: fullText)
    defer { server.stop() }
    try load.send(to: server.port)
    try server.waitForIndex(load.events)
    let storage = try Connection(port: server.port).json("/api/settings")?["storage"] as? [String: Any]
    guard let bytes = storage?["usedBytes"] as? Int, storage?["events"] as? Int == load.events else {
      throw Failure("the collector does not say that it has \(load.events) events: \(storage ?? [:])")
    }
    let sample = load.sample
    let json = sample.reduce(0) { $0 + $1.utf8.count }
    return Point(
      json: Double(json) / Double(sample.count), sent: Double(compressed(sample)) / Double(sample.count),
      indexed: Double(bytes) / Double(load.events), fullText: fullText)
  }

  /// As one delivery would be.
  private static func compressed(_ events: [String]) -> Int {
    let plain = Array(events.joined(separator: "\u{0}").utf8)
    var size = compressBound(uLong(plain.count))
    var out = [UInt8](repeating: 0, count: Int(size))
    return compress2(&out, &size, plain, uLong(plain.count), 6) == Z_OK ? Int(size) : plain.count
  }
}

/// Something that a collector can be sent.
private protocol Recording {
  var events: Int { get }
  func send(to port: Int) throws
  /// Some of its events.
  var sample: [String] { get }
}

extension Story: Recording {
  fileprivate var sample: [String] { (0..<500).map { event($0, of: 1, at: 1_700_000_000_000, isLast: false) } }
}

/// Logs whose words are many and rarely the same, as people's are: what is equal throughout takes no room, compressed or indexed.
private struct PlainEvents: Recording {
  let count: Int
  /// How many words.
  let words: Int
  var events: Int { count }

  private func event(_ index: Int) -> String {
    let text = (0..<words).map { Self.word(UInt64(index * 100 + $0)) }.joined(separator: " ")
    return
      "{\"eventType\":\"log\",\"timestamp\":\(1_700_000_000_000 + index * 37),\"contextId\":1,\"level\":2,\"tag\":\"shop\",\"message\":\"\(text)\"}"
  }

  /// One of 20 000, the first ones often.
  private static func word(_ number: UInt64) -> String {
    var hash = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 31
    hash = hash &* 0xBF58_476D_1CE4_E5B9
    let rank = (hash >> 33) % 20_000 % (1 + (hash >> 12) % 20_000)
    return String(1_000_000 + rank &* 7919 % 1_000_000, radix: 26 + Int(rank % 9))
  }

  var sample: [String] { (0..<500).map(event) }

  func send(to port: Int) throws {
    let connection = try Connection(port: port)
    var delivery = Delivery(launch: .init())
    for start in stride(from: 0, to: count, by: 500) {
      delivery.begin(session: 1)
      for index in start..<min(start + 500, count) { delivery.add(event(index)) }
      while !connection.exchange(try delivery.request(nil)) { Thread.sleep(forTimeInterval: 0.5) }
    }
  }
}

private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
