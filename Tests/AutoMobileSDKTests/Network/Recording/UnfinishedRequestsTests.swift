import AutoMobileHTTP
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder
@testable import AutoMobileRequests

/// What the next launch makes of requests that had not ended, wherever it was killed itself.
@Suite struct UnfinishedRequestsTests {
  private func exchange(_ id: String, _ url: String = "https://a.example/orders", unfinished: Bool = true)
    -> HTTPExchange
  {
    var exchange = HTTPExchange(id: id, startedAt: 1_700_000_000_000, method: "POST", url: url)
    exchange.source = "urlprotocol"
    exchange.isUnfinished = unfinished
    if !unfinished { (exchange.statusCode, exchange.durationMs) = (200, 12) }
    return exchange
  }

  /// Plays a whole launch.
  private func launch(_ directory: TemporaryDirectory, _ body: @escaping (NetworkHarness) throws -> Void) async throws {
    let launch: LaunchID
    do {
      let harness = try NetworkHarness.next(in: directory.url)
      try body(harness)
      launch = try #require(harness.sdk.sdk.runtime).journal.launch
    }
    try await SdkHarness.waitUntilGone(launch)
  }

  /// The requests that a launch tells of its predecessors.
  private func told(_ directory: TemporaryDirectory) async throws -> [HTTPExchange] {
    let told = Locked<[HTTPExchange]>([])
    try await launch(directory) { harness in
      let runtime = try #require(harness.sdk.sdk.runtime)
      runtime.earlierLaunches.look()
      #expect(!harness.sdk.sdk.breadcrumbs().contains { $0.category == .network }, "it is no step of this launch's")
      let exchanges = runtime.journal.lastRecords(of: [.event, .eventAndBreadcrumb], limit: 1000)
        .compactMap { try? JSONDecoder().decode(HTTPExchange.self, from: Data($0.payload)) }
      told.withLock { $0 = exchanges }
    }
    return told.withLock { $0 }
  }

  @Test func `a request that did not end is told once, with what was known of it when it began`() async throws {
    let directory = try TemporaryDirectory()
    let session = Locked("")
    try await launch(directory) { harness in
      harness.network.exchangeBegan(exchange("a"))
      harness.network.exchangeBegan(exchange("b"))
      harness.network.exchangeEnded(exchange("b", unfinished: false))
      let id = try #require(harness.sdk.sdk.runtime).context.sessionId ?? ""
      session.withLock { $0 = id }
    }
    #expect(try await told(directory) == [exchange("a")])
    #expect(try await told(directory) == [])
    let reader = JournalReader(directory: directory.url)
    let json = reader.launches().flatMap { reader.read($0, from: 0, maximumRecords: 100_000).records }
      .map { String(decoding: $0.payload, as: UTF8.self) }.first {
        $0.contains(#""sessionId""#) && $0.contains(#""unfinished":true"#)
      }
    #expect(json?.contains(session.withLock { $0 }) == true, "under the session in which it began")
  }

  @Test func `what was ended, and what nobody wanted recorded, is not told`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { harness in
      harness.network.setHostFilter(exclude: ["secret.example"])
      harness.network.exchangeBegan(exchange("filtered", "https://secret.example/"))
      harness.network.exchangeBegan(exchange("ended"))
      harness.network.exchangeEnded(exchange("ended", unfinished: false))
      harness.sdk.sdk.setEnabled(false)
      harness.network.exchangeBegan(exchange("disabled"))
      harness.sdk.sdk.setEnabled(true)
      harness.network.exchangeBegan(exchange("while disabled"))
      harness.sdk.sdk.setEnabled(false)
      harness.network.exchangeEnded(exchange("while disabled", unfinished: false))
    }
    #expect(try await told(directory) == [])
  }

  @Test func `a network subsystem that is switched off leaves nothing to tell`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { harness in
      harness.network.exchangeBegan(exchange("a"))
      try #require(harness.sdk.sdk.runtime).setEnabled(false, for: .network)
    }
    #expect(try await told(directory) == [])
  }

  @Test func `killed between an event and the note of it, a launch has told`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { harness in
      harness.network.exchangeBegan(exchange("a"))
      try #require(harness.sdk.sdk.runtime).buffer.record(SdkNetworkRequestEvent(exchange("a", unfinished: false)))
    }
    #expect(try await told(directory) == [])
  }

  @Test func `a launch that was killed after it told of another's request has told`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { $0.network.exchangeBegan(exchange("a")) }
    // As far as a launch comes that dies before the note.
    try await launch(directory) { harness in
      try #require(harness.sdk.sdk.runtime).buffer.record(SdkNetworkRequestEvent(exchange("a")))
    }
    #expect(try await told(directory) == [])
  }

  @Test func `a long request is known after thousands of short ones that have been delivered`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { harness in
      let journal = try #require(harness.sdk.sdk.runtime).journal
      harness.network.exchangeBegan(exchange("long"))
      for n in 0..<6000 {
        harness.network.exchangeBegan(exchange("\(n)"))
        harness.network.exchangeEnded(exchange("\(n)", unfinished: false))
        guard n % 500 == 499 else { continue }
        if let chunk = journal.read(journal.launch, maximumBytes: .max, maximumRecords: .max) {
          journal.acknowledge(journal.launch, upTo: chunk.to)
        }
        // So many in a moment are too fast for the thread that makes room on a busy machine.
        let deadline = Date() + 90
        while journal.store.ring.ready <= journal.store.ring.current, Date() < deadline { usleep(1000) }
      }
      #expect(journal.ledger.dropped.isEmpty)
      let first = journal.lastRecords(of: [.eventAndBreadcrumb], limit: .max).first?.position ?? 0
      #expect(first > 1 << 20, "what began with it is gone")
    }
    #expect(try await told(directory).map(\.id) == ["long"])
  }

  @Test func `of very many at once the latest are told`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { harness in
      for n in 0..<500 { harness.network.exchangeBegan(exchange("\(n)")) }
    }
    let told = try await told(directory).map(\.id)
    #expect(Set(told) == Set((500 - RequestsUnderWay.most..<500).map(String.init)))
  }

  @Test func `secrets of a request that never ends are not kept`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { harness in
      harness.network.setCaptureHeaders(true)
      var secret = exchange("a", "https://user:planted@a.example/?token=planted&page=2")
      secret.requestHeaders = ["Authorization": "Bearer planted", "Accept": "text/plain"]
      harness.network.exchangeBegan(secret)
    }
    for file in try FileManager.default.contentsOfDirectory(at: directory.url, includingPropertiesForKeys: nil) {
      #expect((try? Data(contentsOf: file))?.range(of: Data("planted".utf8)) == nil)
    }
    let told = try #require(try await told(directory).first)
    #expect(told.requestHeaders?["Accept"] == "text/plain" && told.url.contains("page=2"))
  }

  @Test func `records that are no requests are passed over`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { harness in
      let buffer = try #require(harness.sdk.sdk.runtime).buffer
      let head = #"{"eventType":"network_request""#
      for junk in [
        "", "{", "null", head + "}", head + #","url":7}"#, #"{"ended":7}"#, String(repeating: "[", count: 10_000),
      ] {
        buffer.keep(Array(junk.utf8), as: .provisionalRequest)
      }
      harness.network.exchangeBegan(exchange("a"))
    }
    #expect(try await told(directory).map(\.id) == ["a"])
  }
}
