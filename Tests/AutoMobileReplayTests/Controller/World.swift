@testable import AutoMobileReplay

/// The recorder's machine together with everything that it has asked for and that has not happened yet: one node of the
/// exploration. What was asked for may come in any order, and also after it was abandoned.
struct World: Hashable {
  typealias Machine = (ReplayState, ReplayEvent, ReplayMoment) -> (state: ReplayState, effects: [ReplayEffect])

  /// What may still come in, by itself.
  enum Pending: Hashable {
    case configuration(UInt64)
    case credential(UInt64)
    case network(UInt64)
    case startTimer(UInt64)
    case graceTimer(UInt64)
    case capTimer(String)
    case conclusion(String)
  }

  var state = ReplayState()
  var now = ReplayMoment(wall: 1_000_000, steady: 0)
  var pending: Set<Pending> = []
  /// The session whose frames are taken right now.
  var capturing: String?
  /// The session that events are marked with.
  var marked: String?
  var begun: Set<String> = []
  var concluded: Set<String> = []
  var configurations: Set<UInt64> = []
  /// Once it is not empty, the world is not looked into any further.
  var violations: [String] = []

  /// Everything that can happen now.
  var possibilities: [(event: ReplayEvent, taking: Pending?, afterMs: Int64)] {
    var all: [(ReplayEvent, Pending?, Int64)] = [(.willTerminate, nil, 0)]
    if state.waitingStarts < 2 { all.append((.start, nil, 0)) }
    if state.waitingStops < 2 { all.append((.stop, nil, 0)) }
    all.append((.switched(on: state.isOff), nil, 0))
    if state.isInForeground {
      all.append((.enteredBackground, nil, 0))
    } else {
      all += [(.enteredForeground, nil, 0), (.enteredForeground, nil, ReplayMachine.backgroundTimeout)]
    }
    for session in begun {
      all += [(.refused(sessionId: session, .closed), nil, 0), (.refused(sessionId: session, .quota), nil, 0)]
    }
    for item in pending { all += Self.outcomes(of: item).map { ($0, item, 0) } }
    return all
  }

  private static func outcomes(of item: Pending) -> [ReplayEvent] {
    switch item {
    case .configuration(let generation):
      var eventsOnly = ReplayPlan()
      eventsOnly.isTelemetryOnly = true
      return [ReplayDecision.record(ReplayPlan()), .record(eventsOnly), .denied("access_denied_401"), .sampledOut].map {
        .configured(generation: generation, $0)
      }
    case .credential(let generation):
      let grants: [ReplayGrant] = [
        .granted(sessionId: "s\(generation)"), .failed("no_credential"), .unreachable("no_credential"),
      ]
      return grants.map { .credentialed(generation: generation, $0) }
    case .network(let generation): return [.networkAvailable(generation: generation)]
    case .startTimer(let generation): return [.startTimeout(generation: generation)]
    case .graceTimer(let generation): return [.graceTimeout(generation: generation)]
    case .capTimer(let session): return [.capReached(sessionId: session)]
    case .conclusion(let session): return [.concluded(sessionId: session)]
    }
  }

  func after(_ event: ReplayEvent, taking item: Pending?, milliseconds: Int64, _ machine: Machine) -> World {
    var next = self
    if let item { next.pending.remove(item) }
    next.now.wall += milliseconds
    next.now.steady += milliseconds
    let before = state
    let (state, effects) = machine(before, event, next.now)
    next.state = state
    for effect in effects { next.perform(effect, before: before) }
    next.check()
    return next
  }

  private mutating func perform(_ effect: ReplayEffect, before: ReplayState) {
    switch effect {
    case .fetchConfiguration(let generation):
      expect(configurations.insert(generation).inserted, "one attempt starts twice")
      pending.insert(.configuration(generation))
    case .obtainCredential(let generation, _): pending.insert(.credential(generation))
    case .awaitNetwork(let generation, _): pending.insert(.network(generation))
    case .setStartTimer(let generation): pending.insert(.startTimer(generation))
    case .setGraceTimer(let generation): pending.insert(.graceTimer(generation))
    case .setCapTimer(let session, _): pending.insert(.capTimer(session))
    case .abandon: expect(capturing == nil && marked == nil, "a failed start leaves something behind")
    case .begin(let session, _):
      expect(marked == nil && capturing == nil, "two sessions at once")
      expect(begun.insert(session.id).inserted, "a session begins twice")
      marked = session.id
      if !session.isTelemetryOnly { capturing = session.id }
    case .pause(let session):
      expect(marked == session.id, "another session is paused")
      capturing = nil
    case .resume(let session):
      expect(marked == session.id, "another session is resumed")
      if !session.isTelemetryOnly { capturing = session.id }
    case .stopFrames(let session):
      expect(marked == session.id, "another session loses its frames")
      capturing = nil
    case .end(let session):
      expect(marked == session.id, "another session is ended")
      marked = nil
      capturing = nil
    case .conclude(let session, let ending):
      expect(marked != session.id, "a session is concluded while it records")
      expect(concluded.insert(session.id).inserted, "a session is concluded twice")
      expect(ending.closeAnchorAt >= session.clock.start.wall, "a session ends before it began")
      if case .paused(_, let entry) = before.phase {
        expect(ending.closeAnchorAt == session.clock.time(at: entry), "the anchor is not the entry into the background")
      }
      pending.insert(.conclusion(session.id))
    case .leaveToRecovery(let session):
      expect(concluded.insert(session.id).inserted, "a session is concluded twice")
    case .standDown: expect(capturing == nil && marked == nil, "what is switched off records")
    case .answerStarts, .answerStops: break
    }
  }

  private mutating func check() {
    let current = state.session?.id
    expect(marked == current, "events are marked with \(marked ?? "none"), the session is \(current ?? "none")")
    if let capturing {
      expect(capturing == current, "frames of \(capturing) are taken for \(current ?? "none")")
      expect(state.isInForeground, "frames are taken in the background")
      if case .active(let session) = state.phase {
        expect(!session.isTelemetryOnly, "frames are taken although only events are wanted")
      } else {
        expect(false, "a recorder that is not active takes frames")
      }
    }
    if state.isOff { expect(state.phase == .idle || state.phase == .terminated, "something goes on while it is off") }
    var open = begun.subtracting(concluded)
    if let current { open.remove(current) }
    expect(open.isEmpty, "never concluded: \(open)")
    expect(current.map { !concluded.contains($0) } ?? true, "a session goes on after its conclusion")
    switch state.phase {
    case .idle, .terminated, .active: expect(state.waitingStarts == 0, "whoever started waits for ever")
    case .starting, .paused: break
    }
    if pending.isEmpty {
      expect(state.waitingStops == 0, "whoever stopped waits for ever")
      if case .starting(let attempt) = state.phase, case .awaitingForeground = attempt.step { return }
      if case .starting = state.phase { expect(false, "a start waits for nothing") }
    }
  }

  private mutating func expect(_ holds: Bool, _ rule: String) {
    if !holds { violations.append(rule) }
  }
}

/// Every order of events up to a number of them, each situation looked into once.
struct Exploration {
  private(set) var worlds = 0
  /// The rule that was broken first, and the events that led there.
  private(set) var violation: String?

  init(depth: Int, machine: World.Machine = ReplayMachine.transition) {
    var seen: Set<World> = [World()]
    var frontier: [(world: World, path: [ReplayEvent])] = [(World(), [])]
    for _ in 0..<depth {
      var next: [(world: World, path: [ReplayEvent])] = []
      for (world, path) in frontier {
        for (event, item, milliseconds) in world.possibilities {
          let after = world.after(event, taking: item, milliseconds: milliseconds, machine)
          guard seen.insert(after).inserted else { continue }
          if let rule = after.violations.first {
            violation = "\(rule), after:\n" + (path + [event]).map { "  \($0)" }.joined(separator: "\n")
            worlds = seen.count
            return
          }
          next.append((after, path + [event]))
        }
      }
      frontier = next
    }
    worlds = seen.count
  }
}
