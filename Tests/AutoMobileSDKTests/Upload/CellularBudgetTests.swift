import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What goes over a network that costs by volume, with a transport that says which one there is.
@Suite struct CellularBudgetTests {
  /// Takes everything. Over a network that costs, unless the request may not use it.
  private final class Phone: RequestTransport {
    struct State {
      var isOnCellular = true
      /// Bodies that went out.
      var sent: [String] = []
      var refused = 0
    }
    let state = Locked(State())

    func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void) {
      let answer = state.withLock { state -> HTTPAnswer in
        if state.isOnCellular, !request.allowsExpensive {
          state.refused += 1
          var answer = HTTPAnswer.failed("metered")
          answer.isNetworkRefused = true
          return answer
        }
        state.sent.append(String(decoding: request.body ?? Data(), as: UTF8.self))
        var answer = HTTPAnswer(
          status: 200, headers: ["accept-post": BatchHeader.mediaType, "content-type": "application/json"],
          body: Data(#"{"ok":true}"#.utf8))
        answer.wasExpensive = state.isOnCellular
        return answer
      }
      completion(answer)
    }

    func cancelAll() {}

    func has(_ number: Int) -> Bool { state.withLock { $0.sent.contains { $0.contains("\"event \(number)\"") } } }
  }

  @Test func `what rules name waits for another network when the day's budget is used up, and a crash does not`()
    async throws
  {
    let keeping = try KeepingBench()
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    let rule = UploadRule(
      "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0, minutesAfter: 0))
    let keeper = keeping.keeper(journal, [rule]) { $0.cellularBytesPerDay = 1 }
    let phone = Phone()
    let url = try #require(URL(string: "https://a.example.com"))
    let endpoint = try #require(DeliveryEndpoint(base: url, apiKey: nil))
    var options = DeliveryOptions(.endpoint(endpoint))
    options.keeper = keeper
    options.compressionThreshold = nil
    let worker = DeliveryWorker(journal: journal, options: options, transport: phone, clock: keeping.clock.clock)
    // The first request is an envelope: nobody has said yet that there is another format.
    journal.appendSurely(#"{"eventType":"crash","timestamp":0,"name":"event 0","contextId":1}"#)
    await keeping.settle(worker)
    // The request that reaches the limit is the last one.
    journal.log(1, at: 1, level: .error)
    journal.log(2, at: 2)
    await keeping.settle(worker)
    #expect(phone.has(1))
    journal.log(3, at: 3, level: .error)
    journal.log(4, at: 4)
    journal.appendSurely(#"{"eventType":"crash","timestamp":5,"name":"event 5","contextId":1}"#)
    await keeping.settle(worker)
    #expect(!phone.has(3) && phone.has(5))
    // Nor does what comes next wait behind what is refused.
    journal.appendSurely(#"{"eventType":"crash","timestamp":6,"name":"event 6","contextId":1}"#)
    await keeping.settle(worker)
    #expect(phone.has(6))
    // It is asked for again after ten minutes, and with nothing else.
    #expect((1...3).contains(phone.state.withLock { $0.refused }))
    #expect(keeping.clock.waits.filter { $0 == UploadKeeper.networkPause }.count == phone.state.withLock { $0.refused })
    phone.state.withLock { $0.isOnCellular = false }
    worker.retryNow()
    await keeping.settle(worker)
    #expect(phone.has(3) && !phone.has(4))
    #expect(journal.ledger.kept == 2)
    worker.stop(within: 0)
  }
}
