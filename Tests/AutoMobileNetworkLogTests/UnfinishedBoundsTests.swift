import AutoMobileHTTP
import AutoMobileJournal
import Foundation
import TestTools
import Testing

@testable import AutoMobileNetworkLog

/// Beginnings that are too large, too many, damaged, or none at all: they take little, and harm nobody.
@Suite struct NetworkLogUnfinishedBoundsTests {
  @Test func `what finds no room is left out, and is no loss`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    var exchange = HTTPExchange.begun(1)
    exchange.requestBody = HTTPBody(bytes: Data("secret body".utf8), size: 11)
    exchange.requestHeaders = ["X": String(repeating: "x", count: 40 << 10)]
    #expect(writer.begin(exchange))
    exchange = HTTPExchange.begun(2)
    exchange.url = String(repeating: "x", count: 1 << 20)
    #expect(!writer.begin(exchange))
    exchange = HTTPExchange.begun(3)
    exchange.id = ""
    #expect(!writer.begin(exchange), "it could not be told when it has ended")
    let kept = NetworkLog(log.directory).all().map(\.exchange)
    #expect(kept.map(\.id) == ["1"] && kept.first?.requestBody == nil && kept.first?.requestHeaders == nil)
    writer.closeAndWait()
    #expect(!writer.begin(.begun(4)))
    #expect(writer.counts == NetworkLogWriter.Counts() && writer.failure == nil)
  }

  @Test func `requests that have ended leave nothing of their beginnings behind`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    let (early, late) = (LogIndex(log.directory), LogIndex(log.directory))
    // Long ones end in other segments than they began in.
    for number in 0..<1500 {
      writer.begin(.begun(number))
      if number >= 500 { writer.recordSurely(.numbered(number - 500)) }
      if number % 100 == 0 { _ = early.refresh() }
    }
    for number in 1000..<1500 { writer.recordSurely(.numbered(number)) }
    for index in [early, late] {
      _ = index.refresh()
      let segments = index.segments.compactMap { $0 }
      #expect(segments.reduce(0) { $0 + $1.beginnings.count } == 0)
      #expect(segments.reduce(0) { $0 + $1.rows.count } == writer.counts.recorded)
      #expect(index.order.count == writer.counts.recorded && !index.order.contains { $0.row.isBeginning })
      #expect(segments.first.map { index.beginnings.count($0.launch) } == 0)
    }
  }

  /// Appends records that no writer of ours makes.
  private func appended(_ payloads: [String], to log: TemporaryLog) throws {
    var options = NetworkLogOptions()
    options.freeDiskFloor = 0
    let journal = try Journal(options.journalOptions(directory: log.directory.records, owner: "hostile"))
    for payload in payloads {
      var text = payload
      #expect(eventually { text.withUTF8 { journal.append(.provisionalRequest, UnsafeRawBufferPointer($0)) } != nil })
    }
    journal.closeAndWait()
  }

  @Test func `hostile beginnings harm nobody`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let odd = [
      "{", "{}", "null", "[]", #"{"requestId":"a"}"#, #"{"timestamp":1}"#, #"{"requestId":"","timestamp":1}"#,
      #"{"requestId":"b","timestamp":"1"}"#, #"{"requestId":"c","timestamp":1e9}"#, "\u{0}",
      #"{"requestId":1,"timestamp":99999999999999999999}"#, String(repeating: "[", count: 100_000),
      #"{"requestId":"d","timestamp":-9223372036854775808,"method":"GET","url":"https://a.example","statusCode":500}"#,
    ]
    let same = [String](
      repeating: #"{"requestId":"same","timestamp":5,"method":"GET","url":"https://a.example"}"#, count: 1000)
    try appended(odd + same, to: log)
    let reader = NetworkLog(log.directory)
    let entries = reader.all()
    #expect(entries.map(\.exchange.id) == ["same", "d"] && entries.allSatisfy { $0.isUnfinished && !$0.isError })
    #expect(reader.count() == reader.statistics().count)
  }

  @Test func `of very many beginnings the newest are kept`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let count = Beginnings.maximum * 5
    let payloads = (0..<count).map {
      #"{"requestId":"\#($0)","timestamp":\#(1_700_000_000_000 + $0),"method":"GET","url":"https://a.example"}"#
    }
    try appended(payloads, to: log)
    let index = LogIndex(log.directory)
    let change = index.refresh()
    #expect(index.order.count <= Beginnings.maximum && index.order.count == change.added - change.removed)
    #expect(index.order.count >= Beginnings.maximum / 2)
    #expect(index.segments.reduce(0) { $0 + ($1?.beginnings.count ?? 0) } == index.order.count)
    #expect(index.order.last?.startedAt == 1_700_000_000_000 + Int64(count) - 1)
    #expect(index.order.first?.startedAt == 1_700_000_000_000 + Int64(count - index.order.count))
    // And two logs of so many, one after the other.
    let later = payloads.suffix(Beginnings.maximum + 1)
    try appended(later.map { $0.replacingOccurrences(of: "17000", with: "18000") }, to: log)
    _ = index.refresh()
    #expect(index.order.count <= Beginnings.maximum)
    #expect(index.segments.reduce(0) { $0 + ($1?.beginnings.count ?? 0) } == index.order.count)
  }

  @Test func `damage among beginnings doubles nothing`() throws {
    var random = SeededRandom(23)
    for round in 0..<10 {
      let log = try TemporaryLog()
      defer { log.remove() }
      let writer = try log.writer()
      for number in 0..<300 {
        writer.begin(.begun(number))
        if number % 3 > 0 { writer.record(.numbered(number)) }
      }
      writer.closeAndWait()
      for name in log.names where name.hasSuffix(".journal") {
        let file = log.directory.records.appendingPathComponent(name)
        var bytes = try Data(contentsOf: file)
        for _ in 0..<20 {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        try bytes.write(to: file)
      }
      let reader = NetworkLog(log.directory)
      let ids = reader.ids()
      #expect(Set(ids).count == ids.count && reader.count() >= ids.count, "round \(round)")
    }
  }
}
