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

  @Test func `415 is answered first without compression and then with envelopes, for good`() async throws {
    let counts = Locked((compressed: 0, plain: 0))
    let answer = TestReceiver.Dialect.both.answer(415, #"{"ok":false}"#)
    let server = try HTTPTestServer { request in
      if request.headers["content-type"] == "application/json" {
        return TestReceiver.Dialect.both.answer(200, #"{"ok":true}"#)
      }
      counts.withLock { counts in
        if request.headers["content-encoding"] == "gzip" { counts.compressed += 1 } else { counts.plain += 1 }
      }
      return answer
    }
    defer { server.stop() }
    let bench = try DeliveryBench()
    let journal = try bench.journal()
    for number in 0..<100 { journal.appendSurely(event(number, context: nil, filling: 200)) }
    let worker = try bench.worker(journal, to: server.url) { $0.maximumRecords = 10 }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 100 })
    #expect(counts.withLock { $0 } == (1, 1))
    #expect(worker.status.format == "envelope")
    #expect(journal.ledger.lost == 0)
  }

  @Test func `a proxy's failure does not unlearn what the receiver takes`() async throws {
    let receiver = try TestReceiver { number in number == 3 ? .instead(.json(502, "{}")) : .take }
    defer { receiver.stop() }
    let (store, numbers, _) = try await deliver(to: receiver)
    #expect(numbers == Array(0..<100))
    #expect(store.taken[.envelope] == 1)
  }

  @Test(arguments: [
    ("application/json, application/x-automobile-journal", true), ("Application/X-AutoMobile-Journal;v=1", true),
    ("application/x-automobile-journal2", false), ("*/*", false), ("", false),
  ])
  func `the offer is read from the header`(header: String, offers: Bool) {
    #expect(Receiver.offersJournal(HTTPAnswer(status: 200, headers: ["accept-post": header])) == offers)
    #expect(!Receiver.offersJournal(HTTPAnswer(status: 200)))
  }
}
