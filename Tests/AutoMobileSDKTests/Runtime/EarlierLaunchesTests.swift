import AutoMobileJournal
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct EarlierLaunchesTests {
  /// A subsystem that notes with which launches it was called, and does something with them.
  private func subsystem(
    _ step: EarlierLaunches.Step, _ calls: Locked<[(EarlierLaunches.Step, [LaunchID])]>,
    _ look: @escaping @Sendable (SubsystemHost, [LaunchID]) -> Void = { _, _ in }
  ) -> SdkEnvironment.Subsystem {
    SdkEnvironment.Subsystem { host in
      host.earlierLaunches.add(step) { launches in
        look(host, launches)
        calls.withLock { $0.append((step, launches)) }
      }
    }
  }

  @Test func `they are looked at once, in the order of the questions`() async throws {
    let directory = try TemporaryDirectory()
    var launches: [LaunchID] = []
    for number in 0..<2 {
      try await SdkHarness.launch(in: directory) { harness in
        harness.sdk.trackEvent(name: "launch \(number)")
        launches.append(try #require(harness.sdk.runtime).journal.launch)
      }
    }
    let calls = Locked<[(EarlierLaunches.Step, [LaunchID])]>([])
    let harness = try SdkHarness(
      directory: directory,
      subsystems: [subsystem(.verdict, calls), subsystem(.crashes, calls), subsystem(.hangs, calls)])
    let runtime = try #require(harness.sdk.runtime)
    runtime.earlierLaunches.look()
    runtime.earlierLaunches.look()
    #expect(calls.withLock { $0.map(\.0) } == [.crashes, .hangs, .verdict])
    #expect(calls.withLock { $0.map(\.1) } == [launches, launches, launches])
  }

  @Test func `a first launch is looked at, too`() throws {
    let calls = Locked<[(EarlierLaunches.Step, [LaunchID])]>([])
    let harness = try SdkHarness(subsystems: [subsystem(.crashes, calls)])
    try #require(harness.sdk.runtime).earlierLaunches.look()
    #expect(calls.withLock { $0.map(\.1) } == [[]])
  }

  @Test func `an event of an earlier launch carries the context that held there`() async throws {
    let directory = try TemporaryDirectory()
    try await SdkHarness.launch(in: directory) { harness in
      harness.sdk.setUserId("ada")
      harness.sdk.trackEvent(name: "before")
      harness.sdk.setTag("plan", value: "pro")
    }
    let calls = Locked<[(EarlierLaunches.Step, [LaunchID])]>([])
    let harness = try SdkHarness(
      directory: directory,
      subsystems: [
        subsystem(.hangs, calls) { host, launches in
          for launch in launches {
            host.buffer.record(SdkCustomEvent(name: "found"), of: launch)
          }
        }
      ])
    harness.sdk.setUserId("bob")
    let journal = try #require(harness.sdk.runtime).journal
    try #require(harness.sdk.runtime).earlierLaunches.look()
    let record = try #require(journal.lastRecords(of: [.event], limit: 1).first)
    let event = try #require(try JSONSerialization.jsonObject(with: Data(record.payload)) as? [String: Any])
    let context = try #require(event["context"] as? [String: Any])
    #expect(event["name"] as? String == "found")
    #expect(event["contextId"] == nil)
    #expect(context["userId"] as? String == "ada")
    #expect(context["tags"] as? [String: String] == ["plan": "pro"])
    #expect(event["sessionId"] as? String == context["sessionId"] as? String)
    #expect(event["sessionId"] as? String != harness.sdk.currentSessionId())
  }

  @Test func `whoever looks does not wait for an SDK that initializes meanwhile`() throws {
    let harness = try SdkHarness()
    let earlierLaunches = try #require(harness.sdk.runtime).earlierLaunches
    let isDone = DispatchSemaphore(value: 0)
    BackgroundQueue.hold {
      Thread.detachNewThread {
        earlierLaunches.look()
        isDone.signal()
      }
      #expect(isDone.wait(timeout: .now() + 60) == .success)
    }
  }

  @Test func `nothing of them is delivered before they have been looked at`() async throws {
    let directory = try TemporaryDirectory()
    try await SdkHarness.launch(in: directory) { $0.sdk.trackEvent(name: "of the first launch") }
    let receiver = try HTTPTestServer(.ok)
    defer { receiver.stop() }
    let calls = Locked<[(EarlierLaunches.Step, [LaunchID])]>([])
    let requestsBefore = Locked<Int?>(nil)
    let harness = try SdkHarness(
      directory: directory, realTimers: true,
      subsystems: [
        subsystem(.verdict, calls) { _, _ in
          usleep(50_000)
          requestsBefore.withLock { $0 = receiver.requests.count }
        }
      ]
    ) { $0.endpoint = receiver.url }
    #expect(await eventually { !receiver.requests.isEmpty })
    #expect(requestsBefore.withLock { $0 } == 0)
    withExtendedLifetime(harness) {}
  }
}
