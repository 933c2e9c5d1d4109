import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What is in a request.
@Suite struct BatchTests {
  private struct Envelope: Decodable {
    struct Event: Decodable { var eventType: String, payload: String, sequence: UInt64 }
    var bundleId: String?, events: [Event], timestamp: Int64, launchId: String, ledger: LaunchLedger?
  }

  private func chunk(_ bench: DeliveryBench, _ events: [String]) throws -> (Journal, JournalChunk, LaunchContexts) {
    let journal = try bench.journal(segmentSize: 1 << 20)
    journal.setContext(1)
    events.forEach { journal.appendSurely($0) }
    let chunk = try #require(journal.read(journal.launch, maximumBytes: 1 << 20, maximumRecords: 100_000))
    var contexts = LaunchContexts(launch: journal.launch)
    contexts.learn(from: chunk, journal: journal)
    return (journal, chunk, contexts)
  }

  @Test func `an envelope is what AutoMobile's receiver reads, and a little more`() throws {
    let bench = try DeliveryBench()
    let (journal, chunk, contexts) = try chunk(
      bench, [event(0), #"{"eventType":"log","message":"ä\"","contextId":1}"#, #"{"own":true}"#])
    let built = try EnvelopeBatch.body(
      chunk, contexts: contexts, sender: DeliverySender(bundleId: "a \"quoted\" id"), sentAt: 5, ledger: journal.ledger)
    let envelope = try JSONDecoder().decode(Envelope.self, from: Data(built.body))
    #expect(envelope.bundleId == "a \"quoted\" id")
    #expect(envelope.timestamp == 5)
    #expect(envelope.launchId == journal.launch.description)
    #expect(envelope.ledger?.recorded == 3)
    #expect(envelope.events.map(\.eventType) == ["custom", "log", "custom"])
    #expect(envelope.events.map(\.sequence) == chunk.events.map(\.position))
    let payload = try #require(Data(base64Encoded: envelope.events[1].payload))
    #expect(
      String(decoding: payload, as: UTF8.self)
        == #"{"eventType":"log","message":"ä\"","context":{"sessionId":"session 1","tags":{"a":"b"}},"#
        + #""sessionId":"session 1"}"#)
    #expect(envelope.events.allSatisfy { $0.payload.count.isMultiple(of: 4) })
    // The documented types read it too.
    let batch = try JSONDecoder().decode(SdkEventBatch.self, from: Data(built.body))
    #expect(batch.events.count == 3)
  }

  @Test func `what is meant for the next launch is not delivered`() throws {
    let bench = try DeliveryBench()
    let journal = try bench.journal(segmentSize: 1 << 20)
    let kinds: [RecordKind] = [.event, .provisionalHang, .breadcrumb, .provisionalHang, .eventAndBreadcrumb]
    for kind in kinds { Array(event(0).utf8).withUnsafeBytes { _ = journal.append(kind, $0) } }
    let chunk = try #require(journal.read(journal.launch, maximumBytes: 1 << 20, maximumRecords: 100))
    #expect(chunk.records.map(\.kind) == kinds)
    let body = try RawBatch.body(
      chunk, contexts: LaunchContexts(launch: journal.launch), sender: DeliverySender(), sentAt: 0, ledger: nil)
    let (header, start) = try body.withUnsafeBytes { try BatchHeader.split($0) }
    #expect(header.to == chunk.to)
    var delivered: [RecordKind] = []
    let codec = RecordCodec(launch: journal.launch)
    body.withUnsafeBytes { body in
      var offset = start
      while offset < body.count, case .record(let kind, _, _, let next) = codec.parse(body, at: offset) {
        delivered.append(kind)
        offset = next
      }
      #expect(offset == body.count)
    }
    #expect(delivered == [.event, .breadcrumb, .eventAndBreadcrumb])
  }

  @Test func `an envelope stays below its limit and says how far it reaches`() throws {
    let bench = try DeliveryBench()
    let (_, chunk, contexts) = try chunk(bench, (0..<400).map { event($0, filling: $0) })
    for limit in [700, 5000, 60_000] {
      let built = try EnvelopeBatch.body(
        chunk, contexts: contexts, sender: DeliverySender(), sentAt: 0, ledger: nil, limit: limit)
      #expect(built.body.count <= limit)
      #expect(built.body.count > limit / 2)
      let envelope = try JSONDecoder().decode(Envelope.self, from: Data(built.body))
      #expect(envelope.events.count == built.events.count)
      // The records before it: the events, and the context that came first.
      #expect(built.recordCount == built.events.count + chunk.records.filter { $0.kind == .context }.count)
      #expect(chunk.end(of: built.recordCount - 1) == chunk.events[built.events.count].position)
    }
    let nothing = try EnvelopeBatch.body(
      chunk, contexts: contexts, sender: DeliverySender(), sentAt: 0, ledger: nil, limit: 100)
    #expect(nothing.recordCount == 0)
    let all = try EnvelopeBatch.body(chunk, contexts: contexts, sender: DeliverySender(), sentAt: 0, ledger: nil)
    #expect(all.recordCount == chunk.records.count)
    #expect(chunk.end(of: all.recordCount - 1) == chunk.to)
  }

  @Test(arguments: [
    (#"{"eventType":"log","timestamp":1}"#, #""log""#), (#"{"eventType":"a\"b"}"#, #""a\"b""#),
    (#"{"timestamp":1,"eventType":"hang"}"#, #""hang""#), (#"{"eventType":5}"#, #""custom""#),
    (#"{"eventType":"unend"#, #""custom""#), ("", #""custom""#), ("[1]", #""custom""#),
    (#"{"eventType":"ü"}"#, #""ü""#),
  ])
  func `the type of an event is found in its JSON`(event: String, type: String) {
    let found = Array(event.utf8).withUnsafeBytes { EventTypeName.json(of: $0) }
    #expect(String(decoding: found, as: UTF8.self) == type)
  }

  @Test func `a batch is halved when it is refused and grows when it is taken`() {
    var size = BatchSize(maximum: 500)
    func halve(_ sent: Int, tooLarge: Bool) -> Bool { size.halve(sent, tooLarge: tooLarge) }
    #expect(halve(400, tooLarge: false))
    #expect(size.records == 200)
    size.wasTaken()
    #expect(size.records == 400)
    size.wasTaken()
    size.wasTaken()
    #expect(size.records == 500)
    #expect(halve(3, tooLarge: true))
    #expect(size.records == 1)
    for _ in 0..<15 { size.wasTaken() }
    #expect(size.records == 1)
    size.wasTaken()
    #expect(size.records == 2)
    #expect(!halve(1, tooLarge: true))
    #expect(!halve(0, tooLarge: false))
    #expect(size.records == 2)
  }

  @Test(arguments: [
    ("http://localhost:8765", "http://localhost:8765/sdk-events", true),
    ("http://localhost:8765/", "http://localhost:8765/sdk-events", true),
    ("http://127.0.0.1:1/sdk-events", "http://127.0.0.1:1/sdk-events", true),
    ("http://127.0.0.1:1/sdk-events/", "http://127.0.0.1:1/sdk-events", true),
    ("https://c.example.com/base", "https://c.example.com/base/sdk-events", false),
  ])
  func `the path is appended to the endpoint`(base: String, events: String, isLocal: Bool) throws {
    let endpoint = try #require(URL(string: base).flatMap { DeliveryEndpoint(base: $0) })
    #expect(endpoint.events.absoluteString == events)
    #expect(endpoint.timeouts == (isLocal ? .local : .remote))
  }

  @Test(arguments: ["ftp://example.com", "file:///tmp", "localhost:8765", "http://", "nonsense"])
  func `what cannot be posted to is no endpoint`(base: String) {
    #expect(URL(string: base).flatMap { DeliveryEndpoint(base: $0) } == nil)
  }
}
