import AutoMobileJournal
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// Which format a receiver gets, and what happens when it turns out not to understand it.
@Suite struct FormatNegotiationTests {
  /// Delivers 100 events in batches of 10, and says what arrived.
  private func deliver(to receiver: TestReceiver) async throws -> (
    store: TestReceiver.Store, numbers: [Int], lost: UInt64
  ) {
    let bench = try DeliveryBench()
    let journal = try bench.journal()
    journal.setContext(1)
    for number in 0..<100 { journal.appendSurely(event(number, filling: 200)) }
    let worker = try bench.worker(journal, to: receiver.url) { $0.maximumRecords = 10 }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 100 })
    #expect(bench.setAside.isEmpty)
    return (receiver.store, receiver.store.numbers(of: journal.launch), journal.ledger.lost)
  }

  @Test func `a receiver that is replaced by one without the journal format gets envelopes again`() async throws {
    let receiver = try TestReceiver { $0.dialect = { $0 < 3 ? .both : .envelopeOnly } }
    defer { receiver.stop() }
    let (store, numbers, lost) = try await deliver(to: receiver)
    #expect(numbers == Array(0..<100))
    #expect(lost == 0)
    #expect(store.taken[.journal] == 2)
    #expect(store.violations == [])
  }

  @Test(arguments: [200, 400, 413, 422])
  func `what a stranger answers to the journal format means nothing`(status: Int) async throws {
    let stranger = ScriptedAnswer.json(status, #"{"ok":\#(status == 200)}"#)
    let receiver = try TestReceiver { traits in
      traits.mood = { number in number == 2 ? .instead(stranger) : .take }
    }
    defer { receiver.stop() }
    let (store, numbers, lost) = try await deliver(to: receiver)
    #expect(numbers == Array(0..<100))
    #expect(lost == 0)
    #expect(store.duplicates == 0)
  }

  @Test func `415 is answered first without the dictionary, then without compression, then with envelopes, for good`()
    async throws
  {
    let codings = Locked<[String]>([])
    let answer = TestReceiver.Dialect.both.answer(415, #"{"ok":false}"#)
    let server = try HTTPTestServer { request in
      if request.headers["content-type"] == "application/json" {
        return TestReceiver.Dialect.both.answer(200, #"{"ok":true}"#)
      }
      codings.withLock { $0.append(request.headers["content-encoding"] ?? "none") }
      return answer
    }
    defer { server.stop() }
    let bench = try DeliveryBench()
    let journal = try bench.journal()
    for number in 0..<100 { journal.appendSurely(event(number, context: nil, filling: 200)) }
    let worker = try bench.worker(journal, to: server.url) { $0.maximumRecords = 10 }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 100 })
    #expect(codings.withLock { $0 } == ["deflate", "gzip", "none"])
    #expect(worker.status.format == "envelope")
    #expect(journal.ledger.lost == 0)
  }

  /// A receiver behind something that answers for it: nothing says then that somebody behind it knows the format.
  private final class Proxy: Sendable {
    let store = Locked(TestReceiver.Store())
    let server: HTTPTestServer

    /// - Parameter refuses: what it answers itself to a body with this coding; nil: it lets it through.
    init(_ refuses: @escaping @Sendable (_ coding: String) -> ScriptedAnswer?) throws {
      server = try HTTPTestServer { [store] request in
        if let answer = request.headers["content-encoding"].flatMap(refuses) { return answer }
        return store.withLock { $0.take(request, .both, TestReceiver.Traits()) }
      }
    }

    func count(of coding: String) -> Int { server.requests.count { $0.headers["content-encoding"] == coding } }
  }

  /// Delivers 100 events in batches of 10 through it, all of which arrive.
  private func deliver(through proxy: Proxy, memory: ReceiverMemory? = nil) async throws {
    let bench = try DeliveryBench()
    let journal = try bench.journal()
    journal.setContext(1)
    for number in 0..<100 { journal.appendSurely(event(number, filling: 200)) }
    let worker = try bench.worker(journal, to: proxy.server.url) {
      $0.maximumRecords = 10
      $0.memory = memory
    }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 100 })
    #expect(bench.setAside.isEmpty && journal.ledger.lost == 0)
    #expect(proxy.store.withLock { $0.numbers(of: journal.launch) } == Array(0..<100))
    #expect(proxy.store.withLock { $0.violations } == [])
    #expect(worker.status.format == "journal")
  }

  @Test(arguments: [400, 403, 413, 415, 500, 502])
  func `a proxy that looks into bodies and knows no dictionary gets gzip, and nothing is lost`(status: Int) async throws
  {
    let proxy = try Proxy { $0 == "deflate" ? .json(status, "{}") : nil }
    defer { proxy.server.stop() }
    try await deliver(through: proxy)
    #expect(proxy.store.withLock { $0.codings["gzip", default: 0] } > 5, "not envelopes, several times as long")
    #expect(proxy.count(of: "deflate") <= 3)
  }

  @Test func `a proxy that knows no dictionary is not tried again by the next launches, before a week is over`()
    async throws
  {
    let proxy = try Proxy { $0 == "deflate" ? .json(403, "{}") : nil }
    defer { proxy.server.stop() }
    let directory = try TemporaryDirectory()
    let day = Locked<Int64>(20_000)
    let memory = ReceiverMemory(directory: directory.url, owner: "com.example") { day.withLock { $0 } }
    try await deliver(through: proxy, memory: memory)
    let tries = proxy.count(of: "deflate")
    #expect((1...3).contains(tries))
    for later: Int64 in [0, 3, 4] {
      day.withLock { $0 += later }
      try await deliver(through: proxy, memory: memory)
      #expect(proxy.count(of: "deflate") == tries, "after \(day.withLock { $0 } - 20_000) days")
    }
    day.withLock { $0 += 1 }
    try await deliver(through: proxy, memory: memory)
    #expect((tries + 1...tries + 3).contains(proxy.count(of: "deflate")))
    // Of which a week begins anew.
    let all = proxy.count(of: "deflate")
    try await deliver(through: proxy, memory: memory)
    #expect(proxy.count(of: "deflate") == all)
  }

  @Test func `what a balancer says while nobody is behind it is no reason to leave out the dictionary later`()
    async throws
  {
    let isAway = Locked(true)
    let proxy = try Proxy { coding in coding == "deflate" && isAway.withLock { $0 } ? .json(502, "{}") : nil }
    defer { proxy.server.stop() }
    let directory = try TemporaryDirectory()
    let memory = ReceiverMemory(directory: directory.url, owner: "com.example")
    try await deliver(through: proxy, memory: memory)
    let tries = proxy.count(of: "deflate")
    #expect(tries == 3)
    isAway.withLock { $0 = false }
    try await deliver(through: proxy, memory: memory)
    #expect(proxy.count(of: "deflate") > tries)
  }

  @Test(arguments: ["invalid_deflate", "invalid_gzip", "truncated"])
  func `a proxy that unpacks bodies and leaves the header gets them as they are, and nothing is lost`(code: String)
    async throws
  {
    let refusal = TestReceiver.Dialect.both.answer(400, #"{"ok":false,"error":{"code":"\#(code)","message":"m"}}"#)
    let proxy = try Proxy { _ in refusal }
    defer { proxy.server.stop() }
    try await deliver(through: proxy)
    #expect(proxy.server.requests.count { $0.headers["content-encoding"] != nil } == 2)
  }

  @Test func `a receiver that knows no dictionary gets gzip`() async throws {
    let receiver = try TestReceiver(.gzipOnly)
    defer { receiver.stop() }
    let (store, numbers, lost) = try await deliver(to: receiver)
    #expect(numbers == Array(0..<100))
    #expect(lost == 0)
    #expect(store.codings["gzip", default: 0] > 1 && store.codings.count == 1)
    #expect(store.violations == [])
  }

  @Test func `a proxy's failure does not unlearn what the receiver takes`() async throws {
    let receiver = try TestReceiver { number in number == 3 ? .instead(.json(502, "{}")) : .take }
    defer { receiver.stop() }
    let (store, numbers, _) = try await deliver(to: receiver)
    #expect(numbers == Array(0..<100))
    #expect(store.taken[.envelope] == 1)
  }

  /// Delivers ten events of another launch, which remembers what is kept in `directory`.
  private func launch(_ bench: DeliveryBench, to receiver: TestReceiver, in directory: TemporaryDirectory) async throws
  {
    let journal = try bench.journal()
    journal.setContext(1)
    for number in 0..<10 { journal.appendSurely(event(number, filling: 200)) }
    let worker = try bench.worker(journal, to: receiver.url) {
      $0.memory = ReceiverMemory(directory: directory.url, owner: "com.example")
    }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 10 })
    #expect(journal.ledger.lost == 0)
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<10))
  }

  @Test func `the next launch begins with what the receiver took`() async throws {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let directory = try TemporaryDirectory()
    for launches in 1...3 {
      try await launch(try DeliveryBench(), to: receiver, in: directory)
      #expect(receiver.store.taken[.envelope] == 1, "only the very first request")
      #expect(directory.names == ["control-com.example.receiver"], "after \(launches)")
    }
    #expect(receiver.store.taken[.journal] ?? 0 >= 2)
    #expect(receiver.store.violations == [])
    #expect(receiver.store.duplicates == 0)
  }

  @Test func `a receiver that has forgotten the format meanwhile gets envelopes, and nothing is lost`() async throws {
    let knowing = try TestReceiver()
    let directory = try TemporaryDirectory()
    try await launch(try DeliveryBench(), to: knowing, in: directory)
    let port = knowing.port
    knowing.stop()
    let simple = try TestReceiver(.envelopeOnly)
    defer { simple.stop() }
    // The same address, as far as the memory is concerned.
    let memory = ReceiverMemory(directory: directory.url, owner: "com.example")
    let endpoint = try #require(DeliveryEndpoint(base: simple.url, apiKey: "key"))
    #expect(memory.recalls(endpoint) == .nothing, "another endpoint than \(port) is another receiver")
    memory.note(endpoint, takes: ReceiverOffer(journal: true, dictionary: true))
    try await launch(try DeliveryBench(), to: simple, in: directory)
    #expect(simple.store.taken[.journal] == nil)
    #expect(simple.store.duplicates == 0)
    #expect(simple.store.violations == [])
    #expect(directory.names == [], "and the launch after that begins with an envelope")
  }

  @Test func `a receiver that has forgotten the dictionary meanwhile gets gzip, and nothing is lost`() async throws {
    let receiver = try TestReceiver(.gzipOnly)
    defer { receiver.stop() }
    let directory = try TemporaryDirectory()
    let memory = ReceiverMemory(directory: directory.url, owner: "com.example")
    let endpoint = try #require(DeliveryEndpoint(base: receiver.url, apiKey: "key"))
    memory.note(endpoint, takes: ReceiverOffer(journal: true, dictionary: true))
    try await launch(try DeliveryBench(), to: receiver, in: directory)
    #expect(receiver.store.codings["gzip", default: 0] > 0)
    #expect(receiver.store.taken[.envelope] == nil)
    #expect(receiver.store.duplicates == 0)
    #expect(receiver.store.violations == [])
    #expect(memory.recalls(endpoint) == ReceiverOffer(journal: true))
  }

  private func endpoint(_ address: String) throws -> DeliveryEndpoint {
    let url = try #require(URL(string: address))
    return try #require(DeliveryEndpoint(base: url, apiKey: "key"))
  }

  @Test func `what is kept of a receiver is its address, whole`() throws {
    let directory = try TemporaryDirectory()
    let memory = ReceiverMemory(directory: directory.url, owner: "com.example/../x")
    let endpoint = try self.endpoint("https://a.example/in")
    let offer = ReceiverOffer(journal: true)
    memory.note(endpoint, takes: offer)
    #expect(memory.recalls(endpoint) == offer)
    let file = directory.file("control-com.example_.._x.receiver")
    #expect(try String(contentsOf: file, encoding: .utf8) == endpoint.events.absoluteString)
    let longer = try self.endpoint("https://a.example/inn")
    #expect(memory.recalls(longer) == .nothing)
    let another = Data((endpoint.events.absoluteString + "\ndictionary=00000000").utf8)
    for damaged in [Data(), Data("https://a.example".utf8), Data(repeating: 0x61, count: 1 << 20), another] {
      try damaged.write(to: file)
      #expect(memory.recalls(endpoint) == .nothing)
    }
    memory.note(endpoint, takes: ReceiverOffer(journal: true, dictionary: true))
    #expect(memory.recalls(endpoint) == ReceiverOffer(journal: true, dictionary: true))
    memory.note(endpoint, takes: .nothing)
    #expect(directory.names == [])
  }

  @Test(arguments: [
    ("application/json, application/x-automobile-journal", ReceiverOffer(journal: true)),
    ("Application/X-AutoMobile-Journal;v=1", ReceiverOffer(journal: true)),
    ("application/x-automobile-journal; dictionary=00000000", ReceiverOffer(journal: true)),
    (
      "application/x-automobile-journal;dictionary=\(BatchDictionary.name), "
        + "application/x-automobile-journal;dictionary=00000000",
      ReceiverOffer(journal: true, dictionary: true)
    ),
    (
      "application/x-automobile-journal;dictionary=00000000, "
        + "application/x-automobile-journal;dictionary=\(BatchDictionary.name)",
      ReceiverOffer(journal: true, dictionary: true)
    ),
    (
      "a/b, application/x-automobile-journal ; v=1; Dictionary=\(BatchDictionary.name)",
      ReceiverOffer(journal: true, dictionary: true)
    ),
    ("application/json;dictionary=\(BatchDictionary.name)", .nothing),
    ("application/x-automobile-journal2", .nothing), ("*/*", .nothing), ("", .nothing),
  ])
  func `the offer is read from the header`(header: String, offer: ReceiverOffer) {
    #expect(ReceiverOffer(HTTPAnswer(status: 200, headers: ["accept-post": header])) == offer)
    #expect(ReceiverOffer(HTTPAnswer(status: 200)) == .nothing)
  }
}
