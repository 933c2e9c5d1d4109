import AutoMobileHTTP
import CAutoMobile
import Foundation
import TestTools
import Testing

@testable import AutoMobileNetworkLog

@Suite struct NetworkLogReadingTests {
  private var rich: HTTPExchange {
    var exchange = HTTPExchange(
      id: "id-1", startedAt: 1_700_000_000_000, method: "POST", url: "https://Api.example/v1/Pay?x=\"1\"")
    exchange.requestHeaders = ["X-Client": "iOS \"quoted\""]
    exchange.requestBody = HTTPBody(bytes: Data("{\"amount\":\n12}".utf8), size: 14)
    exchange.statusCode = 402
    exchange.responseHeaders = ["Server": "Nginx"]
    exchange.responseBody = HTTPBody(bytes: Data([0xFF, 0, 1]), size: 9000)
    exchange.contentType = "image/png"
    exchange.durationMs = 250
    exchange.tracerId = "Conversation-42"
    exchange.graphQLOperation = "PayNow"
    exchange.mockRule = "no-money"
    return exchange
  }

  @Test func `what was recorded is read as it was, bodies and all`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    #expect(writer.record(rich) && writer.record(.numbered(7)))
    let reader = NetworkLog(log.directory)
    let page = reader.page()
    #expect(page.entries.map(\.exchange.id) == ["7", "id-1"] && page.next == nil)
    let entry = try #require(page.entries.last)
    #expect(entry.exchange.responseBody == HTTPBody(bytes: nil, size: 9000) && entry.isError)
    #expect(reader.exchange(entry.id) == rich)
    #expect(NetworkLogEntry.ID(entry.id.description) == entry.id)
    #expect(NetworkLog(log.directory).exchange(entry.id) == rich, "an id holds for other readers, too")
    #expect(writer.counts == NetworkLogWriter.Counts(recorded: 2, lost: 0))
  }

  @Test func `what was half written at one look is there at the next, also while nothing more comes`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    writer.record(.numbered(0))
    let file = log.directory.records.appendingPathComponent(
      try #require(log.names.first { $0.hasSuffix("-000000.journal") }))
    let before = try Data(contentsOf: file)
    writer.record(.numbered(1))
    let after = try Data(contentsOf: file)
    func setRecords(_ bytes: Data) throws {
      let handle = try FileHandle(forWritingTo: file)
      try handle.seek(toOffset: UInt64(AM_SEGMENT_RECORDS))
      try handle.write(contentsOf: bytes[Int(AM_SEGMENT_RECORDS)...])
      try handle.close()
    }
    // Room has been reserved for the second, and nothing stands there.
    try setRecords(before)
    let reader = NetworkLog(log.directory)
    #expect(reader.ids() == ["0"])
    try setRecords(after)
    #expect(reader.ids() == ["1", "0"])
  }

  @Test func `each filter lets through what it says`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    writer.record(rich)
    var failed = HTTPExchange(id: "failed", startedAt: 1_700_000_000_001, method: "GET", url: "https://other.example/")
    failed.error = HTTPFailure(message: "The request timed out.", domain: "NSURLErrorDomain", code: -1001)
    writer.record(failed)
    var fine = HTTPExchange(id: "fine", startedAt: 1_700_000_000_002, method: "GET", url: "https://api.example/é")
    fine.statusCode = 204
    fine.durationMs = 3
    writer.record(fine)
    let reader = NetworkLog(log.directory)
    func ids(_ change: (inout NetworkLogFilter) -> Void) -> [String] {
      var filter = NetworkLogFilter()
      change(&filter)
      #expect(reader.count(filter) == reader.ids(filter).count)
      return reader.ids(filter)
    }
    #expect(ids { _ in } == ["fine", "failed", "id-1"])
    #expect(ids { $0.methods = ["POST"] } == ["id-1"])
    #expect(ids { $0.methods = ["NONE"] } == [])
    #expect(ids { $0.statusClasses = [.success] } == ["fine"])
    #expect(ids { $0.statusClasses = [.noResponse, .clientError] } == ["failed", "id-1"])
    #expect(ids { $0.hosts = ["API.example"] } == ["fine", "id-1"])
    #expect(
      ids {
        $0.minimumDuration = 3; $0.maximumDuration = 249
      } == ["fine"])
    #expect(ids { $0.tracerID = "conversation-4" } == ["id-1"])
    #expect(ids { $0.isMocked = true } == ["id-1"] && ids { $0.isMocked = false } == ["fine", "failed"])
    #expect(ids { $0.isError = true } == ["failed", "id-1"] && ids { $0.isError = false } == ["fine"])
    #expect(
      ids {
        $0.startedFrom = 1_700_000_000_001; $0.startedBefore = 1_700_000_000_002
      } == ["failed"])
    for text in ["v1/pay?X=\"1\"", "conversation-42", "paynow", "ID-1", "ios \"QUOTED\"", "nginx", "amount\":\n12"] {
      #expect(ids { $0.text = text } == ["id-1"], "\(text)")
    }
    #expect(ids { $0.text = "timed out" } == ["failed"] && ids { $0.text = "/é" } == ["fine"])
    #expect(
      ids {
        $0.text = "amount"; $0.places = [.url, .metadata, .headers]
      } == [])
    #expect(
      ids {
        $0.text = "nginx"; $0.places = [.bodies]
      } == [])
    #expect(ids { $0.text = "statusCode" } == [], "what JSON adds is not searched")
    #expect(ids { $0.text = "nowhere" } == [])
  }

  @Test func `requests that end in another order than they began in are listed by when they began`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    let reader = NetworkLog(log.directory)
    var random = SeededRandom(3)
    let times = (0..<500).map { Int64($0 / 2) }.shuffled(using: &random)
    for (number, time) in times.enumerated() {
      writer.recordSurely(.numbered(number, at: time))
      if number % 50 == 0 { _ = reader.count() }
    }
    let entries = reader.all(pageSize: 7)
    #expect(entries.map(\.exchange.startedAt) == times.sorted(by: >))
    #expect(Set(entries.map(\.id)).count == 500)
  }

  @Test func `a page begins where the last one ended, whatever comes meanwhile`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    for number in 0..<10 { writer.record(.numbered(number)) }
    let reader = NetworkLog(log.directory)
    let first = reader.page(limit: 4)
    for number in 10..<20 { writer.record(.numbered(number)) }
    let second = reader.page(from: first.next, limit: 100)
    #expect((first.entries + second.entries).map(\.exchange.id) == (0..<10).reversed().map(String.init))
    #expect(second.next == nil)
  }

  @Test func `statistics count what the filter lets through`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    for number in 1...100 {
      var exchange = HTTPExchange.numbered(number)
      exchange.url = number % 4 == 0 ? "https://b.example/" : "https://a.example/"
      exchange.statusCode = number % 10 == 0 ? 500 : 200
      exchange.responseBody = HTTPBody(bytes: nil, size: 10)
      writer.record(exchange)
    }
    let reader = NetworkLog(log.directory)
    let statistics = reader.statistics()
    #expect(statistics.count == 100 && statistics.errors == 10 && statistics.responseBytes == 1000)
    #expect(statistics.byStatusClass == [.success: 90, .serverError: 10] && statistics.byMethod == ["GET": 100])
    #expect(statistics.hosts.map(\.name) == ["a.example", "b.example"] && statistics.hosts.map(\.count) == [75, 25])
    #expect(statistics.hosts.last?.errors == 5)
    #expect(statistics.medianDuration == 50 && statistics.p95Duration == 95)
    #expect(statistics.firstStartedAt == 1_700_000_000_001 && statistics.lastStartedAt == 1_700_000_000_100)
    var filter = NetworkLogFilter()
    filter.hosts = ["b.example"]
    #expect(reader.statistics(filter).medianDuration == 52)
    filter.hosts = ["c.example"]
    #expect(reader.statistics(filter) == NetworkLogStatistics())
  }

  @Test func `whoever waits for updates hears of everything, whoever else looks meanwhile`() async throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    writer.record(.numbered(0))
    let reader = NetworkLog(log.directory)
    var seen = NetworkLogChange()
    for await change in reader.updates(every: 0.01) {
      seen.add(change)
      if seen.added == 1 {
        writer.record(.numbered(1))
        _ = reader.page()
        writer.record(HTTPWebSocketFrame(timestamp: 1, url: "wss://a.example", direction: .sent, kind: .text))
      }
      if seen.added == 2, seen.frames == 1 { break }
    }
    #expect(seen.added == 2 && seen.frames == 1 && seen.removed == 0)
  }

  @Test func `frames belong to the exchange that they name, or else to its URL`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    var exchange = HTTPExchange(id: "ws/1\"", startedAt: 1, method: "GET", url: "wss://a.example/s?q=\"")
    exchange.statusCode = 101
    func frame(_ time: Int64, _ id: String?, _ url: String) -> HTTPWebSocketFrame {
      let payload = HTTPBody(bytes: Data("é\"".utf8), size: 3)
      return HTTPWebSocketFrame(
        timestamp: time, url: url, direction: .sent, kind: .text, payload: payload, exchangeID: id)
    }
    let mine = [frame(1, "ws/1\"", "other"), frame(2, nil, exchange.url)]
    for frame in mine + [frame(3, "ws/2", exchange.url), frame(4, nil, "other")] { writer.record(frame) }
    writer.record(exchange)
    let reader = NetworkLog(log.directory)
    #expect(reader.frames(of: exchange) == mine)
    #expect(reader.count() == 1, "frames are no exchanges")
    let file = log.directory.url.appendingPathComponent("log.har")
    #expect(try reader.writeHAR(to: file, version: "1") == 1)
    let har = try String(contentsOf: file, encoding: .utf8)
    #expect(har.contains("_webSocketMessages") && har.hasSuffix("]}}\n"))
    #expect(throws: (any Error).self) {
      try reader.writeHAR(to: file.appendingPathComponent("impossible"), version: "1")
    }
  }

  @Test func `a directory that is none is an empty log`() {
    for path in ["/nowhere/at/all", "/dev/null", "/"] {
      let reader = NetworkLog(NetworkLogDirectory(URL(fileURLWithPath: path)))
      #expect(reader.page().entries.isEmpty && reader.count() == 0 && reader.statistics().count == 0)
      #expect(reader.refresh().isEmpty)
    }
    #expect(NetworkLogEntry.ID("1.2") == nil && NetworkLogEntry.ID("a.b.c") == nil && NetworkLogEntry.ID("") == nil)
  }
}
