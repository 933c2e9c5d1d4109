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

  private let errors = UploadRule(
    "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0, minutesAfter: 0))

  private func worker(
    _ journal: Journal, _ phone: Phone, _ keeper: UploadKeeper, _ keeping: KeepingBench
  ) throws -> DeliveryWorker {
    let url = try #require(URL(string: "https://a.example.com"))
    var options = DeliveryOptions(.endpoint(try #require(DeliveryEndpoint(base: url, apiKey: nil))))
    options.keeper = keeper
    options.compressionThreshold = nil
    return DeliveryWorker(journal: journal, options: options, transport: phone, clock: keeping.clock.clock)
  }

  @Test func `what rules name waits for another network when the day's budget is used up, and a crash does not`()
    async throws
  {
    let keeping = try KeepingBench()
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    let keeper = keeping.keeper(journal, [errors]) { $0.cellularBytesPerDay = 1 }
    let phone = Phone()
    let worker = try worker(journal, phone, keeper, keeping)
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

  @Test func `with both budgets used up it waits for the next day whatever the network, and a crash does not`()
    async throws
  {
    let keeping = try KeepingBench()
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    let keeper = keeping.keeper(journal, [errors]) {
      $0.cellularBytesPerDay = 1
      $0.bytesPerDay = 1000
    }
    let phone = Phone()
    let worker = try worker(journal, phone, keeper, keeping)
    func record(_ number: Int) { journal.log(number, at: Double(number), level: .error, filling: 600) }
    func crash(_ number: Int) {
      journal.appendSurely(#"{"eventType":"crash","timestamp":\#(number),"name":"event \#(number)","contextId":1}"#)
    }
    func move(toCellular: Bool) async {
      phone.state.withLock { $0.isOnCellular = toCellular }
      worker.retryNow()
      await keeping.settle(worker)
    }
    crash(0)
    await keeping.settle(worker)
    // The first uses up the one, the second, elsewhere, the other.
    record(1)
    await keeping.settle(worker)
    record(2)
    await keeping.settle(worker)
    #expect(phone.has(1) && !phone.has(2))
    await move(toCellular: false)
    #expect(phone.has(2) && keeper.status.bytesToday > 1000)
    for (number, isOnCellular) in [(10, false), (20, true), (30, false)] {
      await move(toCellular: isOnCellular)
      record(number)
      crash(number + 1)
      await keeping.settle(worker)
      #expect(!phone.has(number) && phone.has(number + 1), "\(number)")
    }
    journal.log(40, at: 40)
    keeping.clock.pass(milliseconds: 86_400_000)
    await move(toCellular: false)
    #expect(phone.has(10) && phone.has(20) && phone.has(30) && !phone.has(40))
    #expect(journal.ledger.kept == 1)
    worker.stop(within: 0)
  }
}
