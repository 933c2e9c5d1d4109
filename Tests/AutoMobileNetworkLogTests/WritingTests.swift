import AutoMobileHTTP
import Foundation
import TestTools
import Testing

@testable import AutoMobileNetworkLog

@Suite struct NetworkLogWritingTests {
  @Test func `bodies are cut at the limit, and what escaping makes too long is cut further`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer { $0.bodyLimit = 1000 }
    defer { writer.closeAndWait() }
    for size in [999, 1000, 1001, 5_000_000] {
      var exchange = HTTPExchange.numbered(size)
      exchange.responseBody = HTTPBody(bytes: Data(repeating: 0x61, count: size), size: size)
      #expect(writer.record(exchange))
    }
    let reader = NetworkLog(log.directory)
    let bodies = reader.all().map { reader.exchange($0.id)?.responseBody }
    #expect(bodies.map { $0?.bytes?.count } == [1000, 1000, 1000, 999])
    #expect(bodies.map { $0?.size } == [5_000_000, 1001, 1000, 999])
    // Each byte becomes six in JSON.
    let wide = try log.writer(owner: "wide") { $0.bodyLimit = 1 << 20 }
    defer { wide.closeAndWait() }
    var exchange = HTTPExchange.numbered(6_000_000)
    exchange.requestBody = HTTPBody(bytes: Data(repeating: 1, count: 30_000), size: 30_000)
    exchange.responseBody = HTTPBody(bytes: Data(repeating: 0xFF, count: 30_000), size: 30_000)
    #expect(wide.record(exchange))
    let kept = try #require(reader.all().first.flatMap { reader.exchange($0.id) })
    #expect(kept.requestBody?.size == 30_000 && kept.requestBody?.bytes?.isEmpty == false)
    #expect(kept.requestBody?.isTruncated == true)
  }

  @Test func `what cannot be recorded at all is counted, and the rest goes on`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    var exchange = HTTPExchange.numbered(1)
    exchange.url = String(repeating: "x", count: 1 << 20)
    #expect(!writer.record(exchange))
    #expect(writer.record(.numbered(2)))
    #expect(writer.counts == NetworkLogWriter.Counts(recorded: 1, lost: 1))
    #expect(NetworkLog(log.directory).ids() == ["2"])
    writer.close()
    #expect(!writer.record(.numbered(3)))
    #expect(writer.counts.lost == 2)
  }

  @Test func `many threads record at once, and what was recorded is there, once and in order`() async throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    let recorded = await withTaskGroup(of: [Int].self) { group in
      for thread in 0..<4 {
        group.addTask { (thread * 500..<(thread + 1) * 500).filter { writer.record(.numbered($0)) } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    let ids = NetworkLog(log.directory).ids()
    let expected = recorded.sorted(by: >).map(String.init)
    let missing = Set(expected).subtracting(ids)
    #expect(missing.isEmpty, "missing \(missing.count): \(missing.compactMap { Int($0) }.sorted())")
    #expect(ids == expected)
    // On a machine that is busy otherwise, the journal may have no room ready for so many at once. Then it says so.
    #expect(writer.counts.recorded == recorded.count)
    #expect(writer.counts.lost == 2000 - recorded.count)
  }

  @Test func `segments that were damaged cost what stood there, and nothing else`() throws {
    let seed: UInt64 = 11
    var random = SeededRandom(seed)
    for round in 0..<30 {
      let log = try TemporaryLog()
      defer { log.remove() }
      let writer = try log.writer()
      for number in 0..<600 { writer.record(.numbered(number)) }
      writer.closeAndWait()
      for name in log.names where name.hasSuffix(".journal") {
        let file = log.directory.records.appendingPathComponent(name)
        var bytes = try Data(contentsOf: file)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
        case 1: bytes = Data()
        default:
          for _ in 0..<Int.random(in: 1...20, using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
          }
        }
        try bytes.write(to: file)
      }
      let reader = NetworkLog(log.directory)
      let ids = reader.ids()
      #expect(Set(ids).count == ids.count, "seed \(seed), round \(round)")
      #expect(ids.compactMap { Int($0) }.allSatisfy { (0..<600).contains($0) }, "seed \(seed), round \(round)")
      _ = reader.statistics()
    }
  }

  @Test func `files that are no records do not disturb`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    writer.record(.numbered(1))
    let records = log.directory.records
    try Data("x".utf8).write(to: records.appendingPathComponent("\(UUID().uuidString)-000000.journal"))
    try Data(count: 1 << 20).write(to: records.appendingPathComponent("\(UUID().uuidString)-000001.journal"))
    try Data().write(to: records.appendingPathComponent("\(UUID().uuidString).ledger"))
    let directory = records.appendingPathComponent("\(UUID().uuidString)-000002.journal")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    #expect(mkfifo(records.appendingPathComponent("\(UUID().uuidString)-000003.journal").path, 0o600) == 0)
    #expect(NetworkLog(log.directory).ids() == ["1"])
  }
}
