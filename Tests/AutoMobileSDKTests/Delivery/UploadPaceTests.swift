import AutoMobileJournal
import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder

/// How often and how much is sent to a receiver that is not on this machine.
@Suite struct UploadPaceTests {
  private func worker(
    _ bench: DeliveryBench, _ journal: Journal, to receiver: TestReceiver, _ policy: DeliveryPolicy,
    change: (inout DeliveryOptions) -> Void = { _ in }
  ) throws -> DeliveryWorker {
    try bench.worker(journal, to: receiver.url) {
      $0.pace = policy
      change(&$0)
    }
  }

  /// Wakes a worker as recording does, and returns when it has done what it does of that.
  private func wake(_ worker: DeliveryWorker, times: Int = 5) {
    for _ in 0..<times {
      worker.wake()
      worker.queue.sync {}
    }
  }

  @Test func `the first delivery comes at once, and the next ones an interval apart`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    let worker = try worker(bench, journal, to: receiver, .default)
    journal.appendSurely(event(0, context: nil))
    worker.wake()
    #expect(await eventually { worker.settled == 1 })
    for number in 1...3 {
      journal.appendSurely(event(number, context: nil))
      wake(worker)
      #expect(worker.status.requests == UInt64(number))
      #expect(worker.status.waitsFor == .interval && worker.status.nextAttempt != nil)
      bench.clock.advance()
      #expect(await eventually { worker.settled == UInt64(number + 1) })
    }
    #expect(bench.clock.waits == [30_000, 30_000, 30_000])
    // With nothing to send nobody is woken.
    wake(worker)
    #expect(!bench.clock.isWaitedFor)
    #expect(worker.status.waitsFor == nil && worker.status.nextAttempt == nil)
    // What comes after a pause goes at once.
    bench.clock.pass(milliseconds: 30_000)
    journal.appendSurely(event(4, context: nil))
    wake(worker)
    #expect(await eventually { worker.settled == 5 })
    #expect(receiver.store.numbers(of: journal.launch) == [0, 1, 2, 3, 4])
  }

  @Test func `an app that records all the time is not sending all the time`() async throws {
    let bench = try DeliveryBench()
    let journal = try bench.journal()
    let receiver = try TestReceiver { number in
      for next in 0..<7 { journal.appendSurely(event(100 + number * 7 + next, context: nil)) }
      return .take
    }
    defer { receiver.stop() }
    for number in 0..<25 { journal.appendSurely(event(number, context: nil)) }
    let worker = try worker(bench, journal, to: receiver, .default) { $0.maximumRecords = 10 }
    worker.wake()
    #expect(await eventually { worker.status.waitsFor == .interval })
    wake(worker)
    #expect(receiver.requests.count == 3)
    #expect(worker.settled >= 25)
  }

  @Test func `whoever asks for a delivery gets it, and it counts as one`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.appendSurely(event(0, context: nil))
    let worker = try worker(bench, journal, to: receiver, .default)
    worker.wake()
    #expect(await eventually { worker.settled == 1 })
    journal.appendSurely(event(1, context: nil))
    wake(worker)
    #expect(worker.settled == 1)
    let done = Locked(0)
    worker.deliverNow { done.withLock { $0 += 1 } }
    #expect(await eventually { done.withLock { $0 } == 1 })
    #expect(worker.settled == 2)
    // With nothing to send it is over at once.
    worker.deliverNow { done.withLock { $0 += 1 } }
    #expect(await eventually { done.withLock { $0 } == 2 })
    #expect(worker.status.requests == 2)
    journal.appendSurely(event(2, context: nil))
    wake(worker)
    #expect(worker.settled == 2 && worker.status.waitsFor == .interval)
  }

  @Test func `a return to the foreground is no reason to send before it is time`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.appendSurely(event(0, context: nil))
    let worker = try worker(bench, journal, to: receiver, .default)
    worker.wake()
    #expect(await eventually { worker.settled == 1 })
    for number in 1...10 {
      journal.appendSurely(event(number, context: nil))
      worker.retryNow()
      worker.queue.sync {}
    }
    #expect(worker.status.requests == 1)
  }

  @Test func `the end does not wait for the interval`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.appendSurely(event(0, context: nil))
    let worker = try worker(bench, journal, to: receiver, .default)
    worker.wake()
    #expect(await eventually { worker.settled == 1 })
    journal.appendSurely(event(1, context: nil))
    let stopped = Locked(false)
    worker.stop(within: 60_000) { stopped.withLock { $0 = true } }
    #expect(await eventually { stopped.withLock { $0 } })
    #expect(worker.settled == 2)
  }

  @Test func `what is beyond the hour's requests waits, is told, and is not lost`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    for number in 0..<50 { journal.appendSurely(event(number, context: nil)) }
    let policy = DeliveryPolicy(intervalMs: 1, maximumRequestsPerHour: 3)
    let worker = try worker(bench, journal, to: receiver, policy) { $0.maximumRecords = 10 }
    worker.wake()
    #expect(await eventually { worker.status.waitsFor == .hourlyLimit })
    #expect(worker.status.requests == 3 && worker.settled == 30)
    let wait = try #require(bench.clock.waits.last)
    #expect((3_600_000...3_660_000).contains(wait))
    // Neither the app nor a request for a delivery makes more of it.
    let done = Locked(false)
    worker.deliverNow { done.withLock { $0 = true } }
    worker.retryNow()
    #expect(await eventually { done.withLock { $0 } })
    wake(worker)
    #expect(worker.status.requests == 3)
    #expect(await eventually(bench.clock) { worker.settled == 50 })
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<50))
    #expect(worker.status.requests == 5)
  }

  @Test func `what is beyond the hour's bytes waits, and a single larger body goes by itself`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    for number in 0..<3 { journal.appendSurely(event(number, context: nil, filling: 5000)) }
    let policy = DeliveryPolicy(intervalMs: 1, maximumBytesPerHour: 1000)
    let worker = try worker(bench, journal, to: receiver, policy) {
      $0.maximumRecords = 1
      $0.compressionThreshold = nil
    }
    worker.wake()
    #expect(await eventually { worker.status.waitsFor == .hourlyLimit })
    #expect(worker.status.requests == 1)
    #expect(await eventually(bench.clock) { worker.settled == 3 })
    #expect(bench.clock.waits.filter { $0 > 3_000_000 }.count == 2)
  }

  @Test func `in no hour is more sent than its limits allow`() {
    var random = SeededRandom(17)
    for _ in 0..<20 {
      var budget = HourlyBudget(maximumRequests: 20, maximumBytes: 1000)
      var now = Int64.random(in: -10_000_000...10_000_000, using: &random)
      var sent: [(at: Int64, bytes: Int)] = []
      for _ in 0..<400 {
        let bytes = Int.random(in: 0...300, using: &random)
        if let wait = budget.wait(for: bytes, now: now) {
          #expect((1...3_660_000).contains(wait))
          // Just before, it may still not go; then it may.
          #expect(budget.wait(for: bytes, now: now + wait - 1) != nil)
          now += wait
          #expect(budget.wait(for: bytes, now: now) == nil)
        }
        budget.spend(bytes, now: now)
        sent.append((now, bytes))
        let hour = sent.filter { $0.at > now - 3_600_000 }
        #expect(hour.count <= 20 && hour.reduce(0) { $0 + $1.bytes } <= 1000)
        now += Int64.random(in: 0...400_000, using: &random)
      }
    }
  }

  // MARK: What the app configures

  @Test(arguments: [0, -1, .min]) func `numbers below one become one`(number: Int) {
    let policy = DeliveryPolicy(intervalMs: number, maximumBytesPerHour: number, maximumRequestsPerHour: number)
    #expect(policy.intervalMs == 1 && policy.maximumBytesPerHour == 1 && policy.maximumRequestsPerHour == 1)
  }

  @Test func `the defaults are the documented ones`() {
    let policy = AutoMobileConfiguration.default.delivery
    #expect(policy.intervalMs == 30_000)
    #expect(policy.maximumBytesPerHour == 16_777_216 && policy.maximumRequestsPerHour == 600)
    #expect(!policy.allowsConstrainedNetwork && policy.allowsExpensiveNetwork)
    #expect(policy.networks == NetworkPermissions(allowsConstrained: false, allowsExpensive: true))
  }

  @Test(arguments: ["http://localhost:8765", "http://127.0.0.1:1", "http://[::1]:1"])
  func `a receiver on this machine gets everything at once`(url: String) throws {
    #expect(try pace(url) == nil)
  }

  @Test(arguments: ["https://collector.example.com", "http://192.168.1.7:8765", "http://localhost.example.com"])
  func `any other one is delivered to as the app says`(url: String) throws {
    #expect(try pace(url) == DeliveryPolicy(intervalMs: 7))
  }

  private func pace(_ url: String) throws -> DeliveryPolicy? {
    let configuration = AutoMobileConfiguration(
      endpoint: URL(string: url), delivery: DeliveryPolicy(intervalMs: 7))
    let options = try DeliveryOptions(
      configuration, bundleId: nil, directory: URL(fileURLWithPath: "/"), environment: SdkEnvironment())
    return try #require(options).pace
  }
}
