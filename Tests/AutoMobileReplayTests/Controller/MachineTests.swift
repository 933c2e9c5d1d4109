import Testing

@testable import AutoMobileReplay

/// The traps that recorders like this one fell into, one by one.
struct MachineTests {
  private var machine = Recorder()

  @Test mutating func `a start waits for the configuration, then for the credential`() {
    #expect(machine.take(.start) == [.fetchConfiguration(generation: 1)])
    #expect(
      machine.take(.configured(generation: 1, .record(ReplayPlan())))
        == [.obtainCredential(generation: 1, isWarm: false), .setStartTimer(generation: 1)])
    let effects = machine.take(.credentialed(generation: 1, .granted(sessionId: "a")))
    #expect(effects.contains(.answerStarts(ReplayStartResult(success: true, sessionId: "a"))))
    #expect(machine.state.session?.id == "a")
  }

  @Test mutating func `a start goes by a pending id until it has one`() {
    machine.now.wall = 1234
    machine.take(.start)
    guard case .starting(let attempt) = machine.state.phase else {
      Issue.record("not starting")
      return
    }
    #expect(attempt.pendingId == "pending_1234")
  }

  @Test mutating func `a denial returns to idle with the status`() {
    machine.take(.start)
    let effects = machine.take(.configured(generation: 1, .denied("access_denied_403")))
    #expect(effects == [.abandon(generation: 1), .answerStarts(.failed("access_denied_403"))])
    #expect(machine.state.phase == .idle)
  }

  @Test
  mutating func
    `a start that has no credential after the poll fails, a late credential is ignored, and it waits for the network`()
  {
    machine.take(.start)
    machine.take(.configured(generation: 1, .record(ReplayPlan())))
    #expect(machine.take(.startTimeout(generation: 1)).contains(.answerStarts(.failed("start_timeout"))))
    #expect(machine.take(.credentialed(generation: 1, .granted(sessionId: "late"))).isEmpty)
    #expect(machine.state.session == nil)
    // The collector is asked again: what it wants may have been said while nobody could hear it.
    #expect(machine.take(.networkAvailable(generation: 1)).isEmpty)
    #expect(machine.take(.networkAvailable(generation: 2)) == [.fetchConfiguration(generation: 2)])
    machine.grant("a", generation: 2)
    #expect(machine.state.session?.id == "a")
  }

  @Test
  mutating func
    `a collector that cannot be asked is asked again later and later, at once when the app comes back or asks`()
  {
    machine.take(.start)
    var waits: [Int64] = []
    for round in UInt64(1)...9 {
      machine.take(.configured(generation: round, .record(ReplayPlan())))
      let effects = machine.take(.credentialed(generation: round, .unreachable("no_credential")))
      #expect(effects.contains(.answerStarts(.failed("no_credential"))) == (round == 1))
      for case .awaitNetwork(_, let wait) in effects { waits.append(wait) }
      machine.take(.networkAvailable(generation: round + 1))
    }
    #expect(waits == [15, 30, 60, 120, 240, 480, 900, 900, 900].map { $0 * 1000 })
    machine.take(.configured(generation: 10, .record(ReplayPlan())))
    machine.take(.credentialed(generation: 10, .unreachable("no_credential")))
    machine.take(.enteredForeground)
    #expect(machine.state.generation == 11, "it was covered for a moment, and not away")
    machine.take(.enteredBackground)
    #expect(machine.take(.enteredForeground).last == .fetchConfiguration(generation: 12))
    machine.take(.configured(generation: 12, .record(ReplayPlan())))
    machine.take(.startTimeout(generation: 12))
    #expect(machine.take(.start).last == .fetchConfiguration(generation: 14))
    machine.grant("a", generation: 14)
    #expect(machine.state.session?.id == "a")
  }

  /// Ways in which a replay is over that nobody stopped.
  enum Ending: CaseIterable { case cap, refusal, failedRollover, deniedRollover }

  @Test(arguments: Ending.allCases)
  mutating func `after an end that nobody asked for, the next foreground begins a new replay, and a stop ends that`(
    ending: Ending
  ) {
    machine.record("a")
    switch ending {
    case .cap: machine.take(.capReached(sessionId: "a"))
    case .refusal: machine.take(.refused(sessionId: "a", .closed))
    case .failedRollover, .deniedRollover:
      machine.take(.enteredBackground)
      machine.advance(60_000)
      machine.take(.enteredForeground)
      machine.take(.concluded(sessionId: "a"))
      if ending == .deniedRollover {
        machine.take(.configured(generation: 2, .denied("access_denied_403")))
      } else {
        machine.take(.configured(generation: 2, .record(ReplayPlan())))
        machine.take(.credentialed(generation: 2, .failed("no_credential")))
      }
    }
    #expect(machine.state.phase == .idle)
    #expect(machine.take(.enteredForeground).isEmpty, "it was covered for a moment, and not away")
    machine.take(.enteredBackground)
    let generation = machine.state.generation + 1
    #expect(machine.take(.enteredForeground) == [.fetchConfiguration(generation: generation)])
    machine.grant("b", generation: generation)
    #expect(machine.state.session?.id == "b")
    machine.take(.stop)
    machine.take(.enteredBackground)
    #expect(machine.take(.enteredForeground).isEmpty)
  }

  @Test(arguments: ["denied", "sampled out", "switched off"])
  mutating func `who was told that nothing is recorded is left alone in the next foreground`(what: String) {
    machine.take(.start)
    switch what {
    case "denied": machine.take(.configured(generation: 1, .denied("access_denied_403")))
    case "sampled out": machine.take(.configured(generation: 1, .sampledOut))
    default:
      machine.take(.switched(on: false))
      machine.take(.switched(on: true))
    }
    machine.take(.enteredBackground)
    #expect(machine.take(.enteredForeground).isEmpty)
  }

  @Test mutating func `a short time in the background resumes the session, and counts it`() {
    machine.record("a")
    machine.take(.enteredBackground)
    machine.advance(59_999)
    let effects = machine.take(.enteredForeground)
    guard case .resume(let session) = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(session.id == "a")
    #expect(session.totalBackgroundMs == 59_999)
  }

  @Test mutating func `the close anchor of a rollover is the entry into the background`() {
    machine.record("a")
    machine.advance(10_000)
    machine.take(.enteredBackground)
    machine.advance(3_600_000)
    let effects = machine.take(.enteredForeground)
    let start = Recorder.start.wall
    #expect(
      effects.contains { effect in
        guard case .conclude(_, let ending) = effect else { return false }
        return ending
          == ReplayEnding(
            reason: .backgroundTimeout, endedAt: start + 10_000, closeAnchorAt: start + 10_000, totalBackgroundMs: 0)
      })
  }

  @Test mutating func `grace and completion restart once, whichever comes first`() {
    for order in [[0, 1], [1, 0]] {
      machine = Recorder()
      machine.record("a")
      machine.take(.enteredBackground)
      machine.advance(60_000)
      machine.take(.enteredForeground)
      let events: [ReplayEvent] = [.graceTimeout(generation: 2), .concluded(sessionId: "a")]
      let effects = order.flatMap { machine.take(events[$0]) }
      #expect(effects == [.fetchConfiguration(generation: 2)])
    }
  }

  @Test mutating func `a late completion leaves the new session alone`() {
    machine.record("a")
    machine.take(.enteredBackground)
    machine.advance(60_000)
    machine.take(.enteredForeground)
    machine.take(.graceTimeout(generation: 2))
    machine.grant("b", generation: 2)
    #expect(machine.take(.concluded(sessionId: "a")).isEmpty)
    #expect(machine.state.session?.id == "b")
  }

  @Test mutating func `what is said about the session before does not stop the one that runs`() {
    machine.record("a")
    machine.take(.stop)
    machine.take(.concluded(sessionId: "a"))
    machine.take(.start)
    machine.grant("b", generation: 2)
    for event: ReplayEvent in [
      .capReached(sessionId: "a"), .refused(sessionId: "a", .closed), .refused(sessionId: "a", .quota),
      .startTimeout(generation: 1), .graceTimeout(generation: 1), .configured(generation: 1, .sampledOut),
    ] {
      #expect(machine.take(event).isEmpty)
    }
    #expect(machine.state.session?.id == "b")
  }

  @Test(arguments: [-7_200_000, 0, 7_200_000] as [Int64])
  mutating func `a clock that is set makes no session longer or shorter`(jump: Int64) {
    machine.record("a")
    machine.advance(5000)
    machine.now.wall += jump
    machine.advance(5000)
    machine.take(.enteredBackground)
    machine.now.wall -= 2 * jump
    machine.advance(1000)
    // A jump is no long time in the background.
    #expect(machine.take(.enteredForeground).count == 1)
    let effects = machine.take(.stop)
    guard case .conclude(_, let ending) = effects.last else {
      Issue.record("\(effects)")
      return
    }
    #expect(ending.closeAnchorAt == Recorder.start.wall + 11_000)
    #expect(ending.totalBackgroundMs == 1000)
  }

  @Test func `a stamp of a clock that was set back is put where the session is`() {
    let clock = ReplayClock(start: ReplayMoment(wall: 1_000_000, steady: 0))
    #expect(clock.time(ofStamp: 1_004_990, now: ReplayMoment(wall: 1_005_000, steady: 5000)) == 1_004_990)
    #expect(clock.time(ofStamp: 4990, now: ReplayMoment(wall: 5000, steady: 5000)) == 1_004_990)
    #expect(clock.time(ofStamp: .min, now: ReplayMoment(wall: .max, steady: .max)) >= 1_000_000)
    #expect(clock.time(ofStamp: .max, now: ReplayMoment(wall: .min, steady: .min)) >= 1_000_000)
  }

  @Test mutating func `no quota ends the frames and not the session`() {
    machine.record("a")
    guard case .stopFrames(let session) = machine.take(.refused(sessionId: "a", .quota)).first else {
      Issue.record("frames go on")
      return
    }
    #expect(session.isTelemetryOnly)
    #expect(machine.take(.start).last == .answerStarts(.init(success: true, sessionId: "a", telemetryOnly: true)))
  }

  @Test mutating func `a start in the background begins when the app comes to the foreground`() {
    machine.take(.enteredBackground)
    machine.take(.start)
    #expect(!machine.grant("a", generation: 1).contains { if case .begin = $0 { true } else { false } })
    #expect(machine.take(.enteredForeground).contains { if case .begin = $0 { true } else { false } })
  }

  @Test mutating func `a session at its cap ends and no other begins in the same foreground`() {
    machine.record("a")
    machine.advance(600_000)
    guard case .conclude(_, let ending) = machine.take(.capReached(sessionId: "a")).last else {
      Issue.record("no conclusion")
      return
    }
    #expect(ending.reason == .recordingCap)
    #expect(machine.state.phase == .idle)
  }

  @Test mutating func `a cap that passes in the background does not keep the next session from beginning`() {
    machine.record("a")
    machine.take(.enteredBackground)
    machine.advance(3_600_000)
    #expect(machine.take(.capReached(sessionId: "a")).isEmpty)
    machine.take(.enteredForeground)
    #expect(machine.take(.concluded(sessionId: "a")) == [.fetchConfiguration(generation: 2)])
  }

  @Test
  mutating func `a cap that passes in a short time in the background ends the session there, and another one begins`() {
    machine.record("a")
    machine.advance(590_000)
    machine.take(.enteredBackground)
    machine.advance(20_000)
    machine.take(.capReached(sessionId: "a"))
    let endings = machine.take(.enteredForeground).compactMap { effect in
      if case .conclude(_, let ending) = effect { ending } else { nil }
    }
    #expect(endings.map(\.reason) == [.recordingCap])
    #expect(endings.map(\.closeAnchorAt) == [Recorder.start.wall + 590_000])
    #expect(machine.take(.concluded(sessionId: "a")) == [.fetchConfiguration(generation: 2)])
  }
}

/// The machine with its state, for tests.
struct Recorder {
  static let start = ReplayMoment(wall: 1_700_000_000_000, steady: 50_000)
  var state = ReplayState()
  var now = Recorder.start

  @discardableResult
  mutating func take(_ event: ReplayEvent) -> [ReplayEffect] {
    let (next, effects) = ReplayMachine.transition(state, event, at: now)
    state = next
    return effects
  }

  mutating func advance(_ milliseconds: Int64) {
    now.wall += milliseconds
    now.steady += milliseconds
  }

  @discardableResult
  mutating func grant(_ id: String, generation: UInt64) -> [ReplayEffect] {
    take(.configured(generation: generation, .record(ReplayPlan())))
    return take(.credentialed(generation: generation, .granted(sessionId: id)))
  }

  mutating func record(_ id: String) {
    take(.start)
    grant(id, generation: state.generation)
  }
}
