import Testing

@testable import AutoMobileReplay

struct InterleavingTests {
  @Test func `no order of user, lifecycle, network and timer events breaks a rule`() {
    let exploration = Exploration(depth: 11)
    #expect(exploration.violation == nil)
    // As many as there were when this was written, roughly: that the exploration still reaches what it is for.
    #expect(exploration.worlds > 20_000)
  }

  // What the rules are worth: each of these machines has one of the mistakes that they are there for.

  @Test func `a machine in which a late completion clears the session that runs is found out`() {
    let exploration = Exploration(depth: 10) { state, event, moment in
      var state = state
      if case .concluded = event, state.session != nil { state.phase = .idle }
      return ReplayMachine.transition(state, event, at: moment)
    }
    #expect(exploration.violation != nil)
  }

  @Test func `a machine in which a timer of the session before ends the one that runs is found out`() {
    let exploration = Exploration(depth: 10) { state, event, moment in
      guard case .capReached = event, let session = state.session else {
        return ReplayMachine.transition(state, event, at: moment)
      }
      // The stale stop halts capture, and the state goes on.
      return (state, [.end(session)])
    }
    #expect(exploration.violation != nil)
  }

  @Test func `a machine that reads the anchor after clearing it is found out`() {
    let exploration = Exploration(depth: 10) { state, event, moment in
      let (next, effects) = ReplayMachine.transition(state, event, at: moment)
      return (
        next,
        effects.map { effect in
          guard case .conclude(let session, _) = effect else { return effect }
          return .conclude(session, session.ending(.backgroundTimeout, at: moment))
        }
      )
    }
    #expect(exploration.violation?.hasPrefix("the anchor is not the entry") == true)
  }

  @Test func `a machine that restarts for grace and for completion is found out`() {
    let exploration = Exploration(depth: 10) { state, event, moment in
      var (next, effects) = ReplayMachine.transition(state, event, at: moment)
      if case .graceTimeout(let generation) = event, effects.isEmpty {
        effects.append(.fetchConfiguration(generation: generation))
        next.generation = generation
      }
      return (next, effects)
    }
    #expect(exploration.violation?.hasPrefix("one attempt starts twice") == true)
  }
}
