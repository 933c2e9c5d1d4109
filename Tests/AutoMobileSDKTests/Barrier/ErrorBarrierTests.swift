import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// What can be shown without Objective-C; the rest is in `Tests/AutoMobileErrorBarrierTests`.
@Suite struct ErrorBarrierTests {
  @Test func `a closure behind the barrier is called once, and its value comes out`() {
    var calls = 0
    #expect(ErrorBarrier.run(.navigationListener) { calls += 1 } == nil)
    #expect(ErrorBarrier.run(.eventProcessor, or: 0) { calls + 41 } == 42)
    #expect(calls == 1)
  }

  @Test func `failures are counted by place`() {
    let failures = InternalFailures()
    failures.count("a")
    failures.note(failure("a"))
    failures.note(failure("b"))
    #expect(failures.counts == ["a": 2, "b": 1])
  }

  @Test func `places without end are counted together`() {
    let failures = InternalFailures()
    for index in 0..<1000 { failures.count("place \(index)") }
    #expect(failures.counts.count == InternalFailures.maximumPlaces + 1)
    #expect(failures.counts[InternalFailures.otherPlaces] == UInt64(1000 - InternalFailures.maximumPlaces))
  }

  @Test func `whoever is told of failures is told of each, until somebody else is`() {
    let failures = InternalFailures()
    let told = Locked<[BarrierFailure]>([])
    failures.note(failure("before"))
    failures.tell { failure in told.withLock { $0.append(failure) } }
    failures.note(failure("a"))
    failures.note(failure("a"))
    failures.tell(nil)
    failures.note(failure("after"))
    #expect(told.withLock { $0.map(\.place) } == ["a", "a"])
  }

  @Test func `of failures of one kind the first is recorded as a handled exception`() async throws {
    let reporter = Locked<BarrierReporter?>(nil)
    let harness = try SdkHarness(
      subsystems: [
        SdkEnvironment.Subsystem(start: { host in reporter.withLock { $0 = BarrierReporter(host) } })
      ])
    let barrier = try #require(reporter.withLock { $0 })
    for _ in 0..<10 { barrier.report(failure("navigationListener", reason: "why", at: [0x1000, 0x20])) }
    barrier.report(failure("eventProcessor"))
    #expect(await eventually { harness.sdk.diagnostics.recorded == 2 })
    let first = try #require(try harness.recorded().first?.event as? SdkHandledExceptionEvent)
    #expect(first.errorDomain == "NSRangeException")
    #expect(first.errorMessage == "why")
    #expect(first.stackTrace == "0x1000\n0x20")
    #expect(first.customMessage?.contains("navigationListener") == true)
    #expect(first.bundleId == harness.bundleId)
    #expect(first.appVersion == "1.2.3")
  }

  @Test func `kinds of failures without end do not fill the journal`() async throws {
    let reporter = Locked<BarrierReporter?>(nil)
    let harness = try SdkHarness(
      subsystems: [
        SdkEnvironment.Subsystem(start: { host in reporter.withLock { $0 = BarrierReporter(host) } })
      ])
    let barrier = try #require(reporter.withLock { $0 })
    for index in 0..<1000 { barrier.report(failure("place \(index)")) }
    #expect(await eventually { harness.sdk.diagnostics.recorded == UInt64(BarrierReporter.maximumReports) })
  }

  private func failure(_ place: String, reason: String = "", at addresses: [UInt64] = []) -> BarrierFailure {
    BarrierFailure(place: place, name: "NSRangeException", reason: reason, returnAddresses: addresses)
  }
}
