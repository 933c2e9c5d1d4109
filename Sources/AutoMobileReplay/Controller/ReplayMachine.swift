/// The recorder's rules: what follows from an event in a state. No clock, no thread, no file.
///
/// | | from | to |
/// |---|---|---|
/// | start | idle | starting: configuration, then the credential within ``startTimeout`` |
/// | granted | starting | active; in the background it waits for the foreground |
/// | ``startTimeout`` is over, or nobody could be asked | starting | starting: whoever started is told, and it is tried again when there is a network |
/// | background | active | paused |
/// | foreground within ``backgroundTimeout`` | paused | active again |
/// | foreground later | paused | starting: the session before is concluded at its last entry into the background, and one new one begins as soon as that is done, or after ``grace`` |
/// | stop, recording cap, refusal | active, paused | idle |
/// | foreground, after anything but a stop ended a replay or kept it from following the one before | idle | starting |
/// | the SDK is switched off | active, paused, starting | idle, and nothing is uploaded; nothing starts before it is on again |
/// | termination | any | terminated; the next launch concludes the session |
package enum ReplayMachine {
  /// In milliseconds.
  package static let startTimeout: Int64 = 5000
  package static let backgroundTimeout: Int64 = 60_000
  package static let grace: Int64 = 2000
  /// With a network, a collector that could not be asked is asked again after this, doubling up to ``longestRetry``.
  package static let firstRetry: Int64 = 15_000
  package static let longestRetry: Int64 = 900_000

  package static func transition(
    _ state: ReplayState, _ event: ReplayEvent, at moment: ReplayMoment
  ) -> (state: ReplayState, effects: [ReplayEffect]) {
    var step = ReplayStep(state: state, moment: moment)
    step.take(event)
    return (step.state, step.effects)
  }
}

/// One transition, while it is computed.
struct ReplayStep {
  var state: ReplayState
  let moment: ReplayMoment
  var effects: [ReplayEffect] = []

  init(state: ReplayState, moment: ReplayMoment) {
    self.state = state
    self.moment = moment
  }

  mutating func take(_ event: ReplayEvent) {
    if case .terminated = state.phase { return afterTermination(event) }
    switch event {
    case .start: start()
    case .stop: stop()
    case .switched(let on): switched(on)
    case .enteredForeground: enterForeground()
    case .enteredBackground: enterBackground()
    case .willTerminate: terminate()
    case .configured(let generation, let decision):
      guard let attempt = current(generation), attempt.step == .fetchingConfiguration else { return }
      configured(attempt, decision)
    case .credentialed(let generation, let grant):
      guard let attempt = current(generation), case .obtainingCredential(let plan) = attempt.step else { return }
      credentialed(attempt, plan, grant)
    case .startTimeout(let generation):
      guard let attempt = current(generation), case .obtainingCredential = attempt.step else { return }
      awaitNetwork(attempt, "start_timeout")
    case .networkAvailable(let generation):
      guard let attempt = current(generation), attempt.step == .awaitingNetwork else { return }
      restart(attempt)
    case .graceTimeout(let generation):
      guard let attempt = current(generation), case .awaitingConclusion = attempt.step else { return }
      restart(attempt)
    case .concluded(let sessionId): concluded(sessionId)
    case .refused(let sessionId, let refusal): refused(sessionId, refusal)
    case .capReached(let sessionId):
      // In the background nothing is recorded; whether there is anything to end shows when the app comes back.
      guard case .active(let session) = state.phase, session.id == sessionId else { return }
      finish(session, .recordingCap)
    }
  }

  /// The attempt that an answer is for; nil when it is late.
  private func current(_ generation: UInt64) -> ReplayAttempt? {
    guard case .starting(let attempt) = state.phase, attempt.generation == generation else { return nil }
    return attempt
  }

  // MARK: The app

  private mutating func start() {
    guard !state.isOff else {
      state.waitingStarts += 1
      return answerStarts(.failed("disabled"))
    }
    state.isWanted = true
    switch state.phase {
    case .idle:
      state.waitingStarts += 1
      begin(.fetchingConfiguration, isWarm: false)
    case .starting(let attempt):
      state.waitingStarts += 1
      if attempt.step == .awaitingNetwork { tryAgain(attempt) }
    case .active(let session), .paused(let session, _):
      // Whoever asks again is told what runs. Nobody else can be waiting here.
      state.waitingStarts += 1
      answerStarts(
        ReplayStartResult(success: true, sessionId: session.id, telemetryOnly: session.isTelemetryOnly))
    case .terminated: break
    }
  }

  private mutating func stop() {
    state.waitingStops += 1
    state.isWanted = false
    switch state.phase {
    case .idle: answerStopsUnlessStopping()
    case .starting(let attempt):
      fail(attempt, "stopped")
      // The session before may still be under way; its conclusion is what there is to wait for.
      if case .awaitingConclusion(let id) = attempt.step {
        state.stoppingSession = id
      } else {
        answerStopsUnlessStopping()
      }
    case .active(let session), .paused(let session, _):
      state.stoppingSession = session.id
      finish(session, .userStop)
    case .terminated: break
    }
  }

  private mutating func switched(_ on: Bool) {
    guard state.isOff == on else { return }
    state.isOff = !on
    guard !on else { return }
    state.isWanted = false
    if case .starting(let attempt) = state.phase { fail(attempt, "disabled") }
    if let session = state.session { finish(session, .userStop) }
    effects.append(.standDown)
  }

  private mutating func answerStopsUnlessStopping() {
    if state.stoppingSession == nil { answerStops(ReplayStopResult(success: true)) }
  }

  // MARK: Its life

  private mutating func enterForeground() {
    // It is also told of an app that was covered for a moment.
    let wasAway = !state.isInForeground
    state.isInForeground = true
    switch state.phase {
    case .paused(var session, let backgroundedAt):
      let away = moment.since(backgroundedAt)
      guard away >= ReplayMachine.backgroundTimeout else {
        if moment.since(session.clock.start) >= session.maximumMs {
          return rollOver(session, .recordingCap, backgroundedAt)
        }
        session.enterForeground(at: moment, backgroundMs: away)
        state.phase = .active(session)
        return effects.append(.resume(session))
      }
      rollOver(session, .backgroundTimeout, backgroundedAt)
    case .starting(let attempt):
      switch attempt.step {
      case .awaitingForeground(let id, let plan): activate(id, plan)
      case .awaitingNetwork where wasAway: tryAgain(attempt)
      default: break
      }
    case .idle:
      guard wasAway, state.isWanted, !state.isOff else { return }
      begin(.fetchingConfiguration, isWarm: true)
    case .active, .terminated: break
    }
  }

  private mutating func rollOver(_ session: ReplaySession, _ reason: ReplayEndReason, _ backgroundedAt: ReplayMoment) {
    // The anchor is taken before anything is cleared: it is what the rollover is for.
    let ending = session.endingInBackground(reason, enteredAt: backgroundedAt)
    effects += [.end(session), .conclude(session, ending)]
    begin(.awaitingConclusion(of: session.id), isWarm: true)
  }

  private mutating func enterBackground() {
    state.isInForeground = false
    guard case .active(var session) = state.phase else { return }
    session.enterBackground(at: moment)
    state.phase = .paused(session, backgroundedAt: moment)
    effects.append(.pause(session))
  }

  private mutating func terminate() {
    if case .starting(let attempt) = state.phase { fail(attempt, "terminated") }
    if let session = state.session { effects += [.end(session), .leaveToRecovery(session)] }
    state.phase = .terminated
    state.isWanted = false
    answerStarts(.failed("terminated"))
    answerStops(ReplayStopResult(success: true, sessionId: state.stoppingSession))
    state.stoppingSession = nil
  }

  /// Nothing begins any more, and nobody waits for ever.
  private mutating func afterTermination(_ event: ReplayEvent) {
    switch event {
    case .start:
      state.waitingStarts += 1
      answerStarts(.failed("terminated"))
    case .stop:
      state.waitingStops += 1
      answerStops(ReplayStopResult(success: true))
    default: break
    }
  }

  // MARK: Answers

  private mutating func configured(_ attempt: ReplayAttempt, _ decision: ReplayDecision) {
    switch decision {
    case .denied(let error): fail(attempt, error)
    case .sampledOut: fail(attempt, "sampled_out")
    case .record(let plan):
      move(attempt, to: .obtainingCredential(plan))
      effects += [
        .obtainCredential(generation: attempt.generation, isWarm: attempt.isWarm),
        .setStartTimer(generation: attempt.generation),
      ]
    }
  }

  private mutating func credentialed(_ attempt: ReplayAttempt, _ plan: ReplayPlan, _ grant: ReplayGrant) {
    switch grant {
    case .failed(let error): fail(attempt, error)
    case .unreachable(let error): awaitNetwork(attempt, error)
    case .granted(let id):
      if state.isInForeground {
        activate(id, plan)
      } else {
        move(attempt, to: .awaitingForeground(sessionId: id, plan))
      }
    }
  }

  private mutating func concluded(_ sessionId: String) {
    if state.stoppingSession == sessionId {
      state.stoppingSession = nil
      answerStops(ReplayStopResult(success: true, sessionId: sessionId))
    }
    // Of a session before the one before, it says nothing about this attempt, and nothing about a session that runs.
    guard case .starting(let attempt) = state.phase, attempt.step == .awaitingConclusion(of: sessionId) else { return }
    restart(attempt)
  }

  private mutating func refused(_ sessionId: String, _ refusal: ReplayRefusal) {
    guard var session = state.session, session.id == sessionId else { return }
    switch refusal {
    case .closed: finish(session, .refused)
    case .quota:
      guard !session.isTelemetryOnly else { return }
      session.isTelemetryOnly = true
      switch state.phase {
      case .paused(_, let moment): state.phase = .paused(session, backgroundedAt: moment)
      default: state.phase = .active(session)
      }
      effects.append(.stopFrames(session))
    }
  }

  // MARK: Steps

  private mutating func begin(_ step: ReplayAttempt.Step, isWarm: Bool, waits: Int = 0) {
    state.generation &+= 1
    let attempt = ReplayAttempt(
      generation: state.generation, pendingId: "pending_\(moment.wall)", isWarm: isWarm, step: step, waits: waits)
    state.phase = .starting(attempt)
    switch step {
    case .awaitingConclusion: effects.append(.setGraceTimer(generation: attempt.generation))
    case .awaitingNetwork:
      let wait = ReplayMachine.firstRetry << Int64(max(0, waits - 1))
      effects.append(
        .awaitNetwork(generation: attempt.generation, milliseconds: min(wait, ReplayMachine.longestRetry)))
    default: effects.append(.fetchConfiguration(generation: attempt.generation))
    }
  }

  private mutating func move(_ attempt: ReplayAttempt, to step: ReplayAttempt.Step) {
    var attempt = attempt
    attempt.step = step
    state.phase = .starting(attempt)
  }

  /// Once for each rollover: whichever of conclusion and grace comes second finds another step.
  private mutating func restart(_ attempt: ReplayAttempt) {
    move(attempt, to: .fetchingConfiguration)
    effects.append(.fetchConfiguration(generation: attempt.generation))
  }

  /// Whoever started is told, and the replay begins by itself when it can.
  private mutating func awaitNetwork(_ attempt: ReplayAttempt, _ error: String) {
    effects.append(.abandon(generation: attempt.generation))
    answerStarts(.failed(error))
    begin(.awaitingNetwork, isWarm: attempt.isWarm, waits: min(attempt.waits + 1, 10))
  }

  private mutating func tryAgain(_ attempt: ReplayAttempt) {
    effects.append(.abandon(generation: attempt.generation))
    begin(.fetchingConfiguration, isWarm: attempt.isWarm)
  }

  private mutating func activate(_ id: String, _ plan: ReplayPlan) {
    let session = ReplaySession(
      id: id, start: moment, isTelemetryOnly: plan.isTelemetryOnly, maximumMs: plan.maximumMs)
    state.phase = .active(session)
    effects += [.begin(session, plan), .setCapTimer(sessionId: id, milliseconds: plan.maximumMs)]
    answerStarts(ReplayStartResult(success: true, sessionId: id, telemetryOnly: plan.isTelemetryOnly))
  }

  private mutating func finish(_ session: ReplaySession, _ reason: ReplayEndReason) {
    var ending = session.ending(reason, at: moment)
    if case .paused(_, let backgroundedAt) = state.phase {
      ending = session.endingInBackground(reason, enteredAt: backgroundedAt)
    }
    state.phase = .idle
    effects += [.end(session), .conclude(session, ending)]
  }

  /// The app is told of a first start that fails, and asks again when it wants to. Of one that follows another replay nobody is told.
  private mutating func fail(_ attempt: ReplayAttempt, _ error: String) {
    if !attempt.isWarm { state.isWanted = false }
    state.phase = .idle
    effects.append(.abandon(generation: attempt.generation))
    answerStarts(.failed(error))
  }

  private mutating func answerStarts(_ result: ReplayStartResult) {
    guard state.waitingStarts > 0 else { return }
    state.waitingStarts = 0
    effects.append(.answerStarts(result))
  }

  private mutating func answerStops(_ result: ReplayStopResult) {
    guard state.waitingStops > 0 else { return }
    state.waitingStops = 0
    effects.append(.answerStops(result))
  }
}
