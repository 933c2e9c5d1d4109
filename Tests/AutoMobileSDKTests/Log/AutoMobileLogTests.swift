import AllocationCounter
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

struct AutoMobileLogTests {
  private let log = AutoMobileLog()
  private let events = Locked<[SdkLogEvent]>([])
  private let buffer: SdkEventBuffer

  init() {
    buffer = SdkEventBuffer(maxBufferSize: 10_000, timerFactory: { FakeTimer() }) { [events] batch in
      events.withLock { $0 += batch.compactMap { $0 as? SdkLogEvent } }
    }
    log.initialize(bundleId: "com.example", buffer: buffer)
  }

  /// What has been recorded since the last call.
  private func recorded() -> [SdkLogEvent] {
    buffer.flush()
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  @Test func `without a filter nothing is recorded`() {
    log.fault("tag", "message")
    #expect(recorded().isEmpty)
    #expect(log.filterCount == 0)
  }

  @Test func `every method records its level`() {
    log.addFilter(name: "all")
    log.v("tag", "0")
    log.d("tag", "1")
    log.i("tag", "2")
    log.w("tag", "3")
    log.e("tag", "4")
    log.fault(nil, "5")
    let events = recorded()
    #expect(events.map(\.level) == LogLevel.allCases)
    #expect(events.map(\.message) == ["0", "1", "2", "3", "4", "5"])
    #expect(events.map(\.tag) == ["tag", "tag", "tag", "tag", "tag", nil])
    #expect(events.allSatisfy { $0.filterName == "all" })
  }

  @Test func `an entry becomes one event for each filter that matches`() {
    log.addFilter(name: "network", tagPattern: "net")
    log.addFilter(name: "errors", minLevel: .error)
    log.addFilter(name: "disk", tagPattern: "disk")
    log.e("net", "failed")
    log.i("net", "done")
    log.e(nil, "no tag")
    let events = recorded()
    #expect(events.map(\.filterName) == ["network", "errors", "network", "errors"])
    #expect(events.map(\.message) == ["failed", "failed", "done", "no tag"])
    #expect(events.first?.timestamp == events.dropFirst().first?.timestamp)
  }

  @Test func `a pattern that is none is refused, and changes nothing`() {
    #expect(log.addFilter(name: "good", tagPattern: "^a+$", messagePattern: "b"))
    #expect(!log.addFilter(name: "good", tagPattern: "("))
    #expect(!log.addFilter(name: "bad", messagePattern: "[z-a]"))
    #expect(log.filterCount == 1)
    log.i("aa", "b")
    #expect(recorded().map(\.filterName) == ["good"])
  }

  @Test func `a filter can be made of compiled patterns`() throws {
    let pattern = try NSRegularExpression(pattern: "NET", options: .caseInsensitive)
    log.addFilter(name: "network", tagPattern: pattern, minLevel: .info)
    log.i("net", "kept")
    log.d("net", "too low")
    #expect(recorded().map(\.message) == ["kept"])
  }

  @Test func `a filter of the same name is replaced`() {
    log.addFilter(name: "filter", minLevel: .fault)
    log.addFilter(name: "filter", minLevel: .debug)
    #expect(log.filterCount == 1)
    log.d(nil, "kept")
    #expect(recorded().count == 1)
  }

  @Test func `removed filters match no more`() {
    log.addFilter(name: "a")
    log.addFilter(name: "b", minLevel: .error)
    log.removeFilter(name: "a")
    log.removeFilter(name: "never added")
    log.i(nil, "too low for b")
    log.e(nil, "kept")
    log.clearFilters()
    log.fault(nil, "for nobody")
    #expect(recorded().map(\.filterName) == ["b"])
    #expect(log.filterCount == 0)
  }

  @Test func `after a reset nothing is recorded until the next initialize`() {
    log.addFilter(name: "all")
    log.reset()
    #expect(log.filterCount == 0)
    log.addFilter(name: "all")
    log.i(nil, "nowhere to go")
    log.initialize(bundleId: nil, buffer: buffer)
    log.i(nil, "kept")
    #expect(recorded().map(\.message) == ["kept"])
  }

  @Test func `filters may come and go while other threads log`() {
    log.addFilter(name: "always", minLevel: .error)
    let perThread = 500
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<perThread {
        if thread == 0 {
          log.addFilter(name: "sometimes \(number % 3)", tagPattern: "t", minLevel: .info)
          log.removeFilter(name: "sometimes \((number + 1) % 3)")
        } else {
          log.e("t", "entry")
        }
      }
    }
    #expect(recorded().count { $0.filterName == "always" } == 3 * perThread)
  }

  @Test(.enabled(if: allocation_counter_available()))
  func `an entry that no filter wants allocates nothing`() {
    log.addFilter(name: "errors", minLevel: .error)
    let tag = "a tag too long to lie in the string itself"
    let before = allocation_counter_thread_count()
    for _ in 0..<100 { log.w(tag, tag) }
    #expect(allocation_counter_thread_count() == before)
  }
}
