import AutoMobileSDK
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

@Suite struct AutoMobileFailuresTests {
  private enum BasketError: Error { case empty, soldOut(article: String) }

  private let failures = AutoMobileFailures()
  private let harness: SdkHarness

  init() throws {
    harness = try SdkHarness(
      subsystems: [
        .init(
          start: { [failures] in
            failures.initialize(
              bundleId: $0.bundleId, buffer: $0.buffer, context: $0.context, currentScreen: $0.currentScreen)
          }, reset: { [failures] in failures.reset() })
      ])
  }

  private func recorded() throws -> [SdkHandledExceptionEvent] {
    try harness.recorded().compactMap { $0.event as? SdkHandledExceptionEvent }
  }

  @inline(never) private func recordDeepInside(_ error: any Error) {
    failures.recordHandledException(error, message: "asking again")
  }

  @Test func `an error is an event with everything that is known of it`() throws {
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "Basket", source: .custom))
    recordDeepInside(BasketError.soldOut(article: "bun"))
    let event = try #require(try recorded().first)
    #expect(event.errorDomain == "AutoMobileSDKTests.AutoMobileFailuresTests.BasketError")
    #expect(event.errorMessage == #"soldOut(article: "bun")"#)
    #expect(event.customMessage == "asking again")
    #expect(event.currentScreen == "Basket")
    #expect(event.bundleId == "com.example.test")
    #expect(event.appVersion == "1.2.3")
    #expect(event.deviceInfo == AutoMobileFailures.currentDeviceInfo())
    let report = try #require(event.report)
    #expect(report.kind == .failure)
    #expect(report.exception?.type == event.errorDomain)
    #expect(report.threads.count == 1)
    #expect(report.threads[0].frames.count > 3)
    #expect(report.threads[0].frames.allSatisfy { $0.symbol == nil }, "names are looked up later")
    #expect(report.images.contains { $0.name.contains("AutoMobilePackageTests") && $0.uuid != nil })
    #expect(event.stackTrace == report.stackTrace)
  }

  @Test func `the stack is the caller's, and begins with it`() throws {
    recordDeepInside(BasketError.empty)
    let event = try #require(failures.getRecentEvents().first)
    let first = event.stackTrace.split(separator: "\n").first ?? ""
    #expect(first.contains("recordDeepInside"), "\(event.stackTrace)")
    // The event has the same frames, by address.
    let addresses = try #require(try recorded().first?.report).threads[0].frames.map(\.address.description)
    #expect(
      event.stackTrace.split(separator: "\n").map {
        $0.split(separator: " ").first { $0.hasPrefix("0x") }.map(String.init)
      }
        == addresses)
  }

  @Test func `a screen that the app names goes before the last navigation`() throws {
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "Basket", source: .custom))
    failures.recordHandledException(BasketError.empty, currentScreen: "Sheet")
    harness.sdk.currentScreen.setProvider { "Provided" }
    failures.recordHandledException(BasketError.empty)
    #expect(try recorded().map(\.currentScreen) == ["Sheet", "Provided"])
  }

  @Test func `the last hundred are kept until they are cleared`() throws {
    for number in 0..<105 { failures.recordHandledException(BasketError.empty, message: "\(number)") }
    #expect(failures.eventCount == 100)
    #expect(failures.getRecentEvents().map(\.customMessage) == (5..<105).map { "\($0)" })
    failures.clearEvents()
    #expect(failures.eventCount == 0)
    #expect(failures.getRecentEvents().isEmpty)
    #expect(try recorded().count == 105)
  }

  @Test func `while recording is off nothing is kept, and each is counted`() throws {
    harness.sdk.setEnabled(false)
    failures.recordHandledException(BasketError.empty)
    #expect(failures.eventCount == 0)
    #expect(harness.sdk.diagnostics.dropped["disabled"] == 1)
  }

  @Test func `before initialization nothing happens`() {
    let failures = AutoMobileFailures()
    failures.recordHandledException(BasketError.empty)
    #expect(failures.eventCount == 0)
  }

  @Test func `in the middle of initialization it is recorded, once, whoever is first`() throws {
    for isEarly in [true, false] {
      let failures = AutoMobileFailures()
      let harness = try SdkHarness(
        initialized: false,
        subsystems: [
          .init(
            name: .failures,
            start: { host in
              if isEarly { failures.recordHandledException(BasketError.empty) }
              failures.start(host)
              if !isEarly { failures.recordHandledException(BasketError.empty) }
            },
            setEnabled: { enabled, _ in failures.setEnabled(enabled) }, isEnabled: { failures.isEnabled },
            reset: { failures.reset() })
        ])
      harness.initialize()
      #expect(try harness.recorded().map(\.event.eventType) == [.handledException])
      try harness.expectBalancedLedger(recorded: 1)
    }
  }

  @Test func `an app may say which problem it is, and document 000's signature still compiles`() throws {
    failures.recordHandledException(BasketError.empty, message: "try later", fingerprint: "payment-declined")
    failures.recordHandledException(BasketError.empty, fingerprint: "")
    failures.recordHandledException(BasketError.empty, fingerprint: String(repeating: "x", count: 5000))
    let documented: (any Error, String?, String?) -> Void = failures.recordHandledException
    documented(BasketError.empty, nil, nil)
    let events = try recorded()
    #expect(events.map(\.fingerprint) == ["payment-declined", nil, String(repeating: "x", count: 200), nil])
    #expect(events.first?.report?.threads.first?.frames.isEmpty == false)
    // The frame of who called, and not that of the function that was called.
    #expect(events.prefix(3).allSatisfy { !$0.stackTrace.isEmpty && !$0.stackTrace.contains("recordHandledException") })
  }

  @Test func `errors behind an error are recorded`() throws {
    let cause = NSError(domain: NSPOSIXErrorDomain, code: 54, userInfo: [NSLocalizedDescriptionKey: "reset"])
    failures.recordHandledException(
      NSError(domain: "Shop", code: 7, userInfo: [NSLocalizedDescriptionKey: "offline", NSUnderlyingErrorKey: cause]))
    let event = try #require(try recorded().first)
    #expect(event.errorDomain == "Shop")
    #expect(event.errorCode == 7)
    #expect(event.errorMessage == "offline")
    #expect(
      event.underlyingErrors
        == [SdkHandledExceptionEvent.UnderlyingError(domain: NSPOSIXErrorDomain, code: 54, message: "reset")])
  }

  @Test func `many threads may report at once`() throws {
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for _ in 0..<50 {
        failures.recordHandledException(BasketError.soldOut(article: "\(thread)"))
        if thread == 0 { _ = failures.eventCount }
      }
    }
    #expect(try recorded().count == 200)
    #expect(failures.eventCount == 100)
  }
}
