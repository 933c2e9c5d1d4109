import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct SessionTrackerTests {
  /// A tracker with everything it depends on in the test's hands.
  final class Harness: Sendable {
    let timers = Locked<[FakeTimer]>([])
    let ids = Locked(0)
    let now = Locked<Int64>(1000)
    let changes = Locked(0)

    func tracker(launchSession: String? = nil, timeoutMs: Int = 30_000) -> SessionTracker {
      SessionTracker(
        launchSession: launchSession, timeoutMs: timeoutMs,
        uuidProvider: { [self] in
          ids.withLock {
            $0 += 1
            return "session-\($0)"
          }
        },
        timerFactory: { [self] in
          let timer = FakeTimer()
          timers.withLock { $0.append(timer) }
          return timer
        },
        clock: { [self] in now.withLock { $0 } }, onChange: { [self] _ in changes.withLock { $0 += 1 } })
    }

    func fireAll() { timers.withLock { $0 }.forEach { $0.fire() } }
    func fireLate() { timers.withLock { $0 }.forEach { $0.fireLate() } }
    func runningTimers() -> Int { timers.withLock { $0 }.filter(\.isScheduled).count }
  }

  @Test func `the first foreground begins a session`() {
    let harness = Harness()
    let tracker = harness.tracker()
    #expect(tracker.currentSessionId() == nil)
    tracker.onBackground()
    #expect(tracker.currentSessionId() == nil)
    tracker.onForeground()
    #expect(tracker.currentSessionId() == "session-1")
    tracker.onForeground()
    #expect(tracker.currentSessionId() == "session-1")
  }

  @Test func `the first foreground goes on with the session of the launch`() {
    let harness = Harness()
    let tracker = harness.tracker(launchSession: "launch", timeoutMs: 7000)
    #expect(tracker.currentSessionId() == "launch")
    // Scenes that connect in the background.
    tracker.onBackground()
    harness.now.withLock { $0 += 6999 }
    tracker.onForeground()
    #expect(tracker.currentSessionId() == "launch")
    #expect(tracker.state == .active)
    #expect(harness.changes.withLock { $0 } == 0)
    tracker.onBackground()
    harness.fireAll()
    #expect(tracker.currentSessionId() == nil)
  }

  @Test func `a launch in the background keeps its session until somebody comes, who begins another`() {
    let harness = Harness()
    let tracker = harness.tracker(launchSession: "launch", timeoutMs: 7000)
    harness.now.withLock { $0 += 7000 }
    harness.fireAll()
    #expect(harness.timers.withLock { $0.isEmpty })
    #expect(tracker.currentSessionId() == "launch")
    tracker.onForeground()
    #expect(tracker.currentSessionId() == "session-1")
    #expect(harness.changes.withLock { $0 } == 1)
  }

  @Test func `a session is resumed within the time and ends after it`() {
    let harness = Harness()
    let tracker = harness.tracker(timeoutMs: 7000)
    tracker.onForeground()
    tracker.onBackground()
    #expect(harness.timers.withLock { $0[0].interval } == 7000)
    tracker.onForeground()
    #expect(tracker.currentSessionId() == "session-1")
    #expect(harness.runningTimers() == 0)
    tracker.onBackground()
    harness.fireAll()
    #expect(tracker.currentSessionId() == nil)
    #expect(harness.runningTimers() == 0)
    tracker.onForeground()
    #expect(tracker.currentSessionId() == "session-2")
  }

  @Test func `a process that was suspended for longer than the time comes back to a new session`() {
    let harness = Harness()
    let tracker = harness.tracker(timeoutMs: 7000)
    tracker.onForeground()
    tracker.onBackground()
    harness.now.withLock { $0 += 7000 }
    tracker.onForeground()
    #expect(tracker.currentSessionId() == "session-2")
    #expect(harness.runningTimers() == 0)
  }

  @Test func `shutting down ends the session and its timer`() {
    let harness = Harness()
    let tracker = harness.tracker()
    tracker.onForeground()
    tracker.onBackground()
    tracker.shutdown()
    harness.fireLate()
    #expect(tracker.currentSessionId() == nil)
    #expect(harness.runningTimers() == 0)
  }

  @Test func `a provider may use the tracker that calls it`() {
    let slot = Locked<SessionTracker?>(nil)
    let tracker = SessionTracker(
      uuidProvider: { slot.withLock { $0 }?.currentSessionId() ?? "none before" },
      timerFactory: { FakeTimer() })
    slot.withLock { $0 = tracker }
    tracker.onForeground()
    #expect(tracker.currentSessionId() == "none before")
    slot.withLock { $0 = nil }
  }

  /// What the documents say, in a few lines.
  struct Model {
    var id = 0
    var current: Int?
    var inBackground = false

    mutating func apply(_ step: Step) {
      switch step {
      case .foreground:
        if current == nil {
          id += 1
          current = id
        }
        inBackground = false
      case .background: if current != nil { inBackground = true }
      case .timeout:
        if inBackground { current = nil }
        inBackground = false
      case .lateTimeout: break
      }
    }
  }

  enum Step: CaseIterable { case foreground, background, timeout, lateTimeout }

  @Test func `every order of six steps does what the model does`() {
    var sequences: [[Step]] = [[]]
    for _ in 0..<6 { sequences = sequences.flatMap { s in Step.allCases.map { s + [$0] } } }
    #expect(sequences.count == 4096)
    for sequence in sequences {
      let harness = Harness()
      let tracker = harness.tracker()
      var model = Model()
      var changes = 0
      for step in sequence {
        let before = model.current
        model.apply(step)
        if model.current != before { changes += 1 }
        switch step {
        case .foreground: tracker.onForeground()
        case .background: tracker.onBackground()
        case .timeout: harness.fireAll()
        case .lateTimeout: harness.fireLate()
        }
        let expected = model.current.map { "session-\($0)" }
        guard tracker.currentSessionId() == expected, harness.runningTimers() == (model.inBackground ? 1 : 0) else {
          Issue.record("after \(sequence): \(tracker.currentSessionId() ?? "nil"), expected \(expected ?? "nil")")
          return
        }
      }
      guard harness.changes.withLock({ $0 }) == changes else {
        Issue.record("after \(sequence): \(harness.changes.withLock { $0 }) changes, expected \(changes)")
        return
      }
    }
  }

  @Test func `many threads leave the tracker in a state that the model knows`() async {
    let tracker = Harness().tracker()
    await withTaskGroup(of: Void.self) { group in
      for seed in 0..<4 {
        group.addTask {
          for i in 0..<2000 {
            (i &* 7 &+ seed) % 3 == 0 ? tracker.onBackground() : tracker.onForeground()
            _ = tracker.currentSessionId()
          }
        }
      }
    }
    tracker.onForeground()
    #expect(tracker.state == .active)
    #expect(tracker.currentSessionId() == "session-1")
  }
}
