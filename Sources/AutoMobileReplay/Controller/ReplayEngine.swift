import AutoMobileInterface
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Does what the machine says. Called by the controller, one effect after the other; nothing here waits for the network.
final class ReplayEngine: Sendable {
  let services: ReplayServices
  let transport: StoppableTransport
  let send: @Sendable (ReplayEvent) -> Void
  /// Has what is left finished by whoever is there by then.
  private let askForRecovery: @Sendable () -> Void
  private let current: Locked<SessionRunner?>
  private let budget: FrameBudget
  private let ring: FrameRing
  private let wall = WallClock()
  /// Its number among those who hear what rules and asks name.
  private let observer: UInt64?
  let gate: PathGate
  let source: CredentialSource
  private let ingest: Ingest
  private let recovery: RecoveryLoop
  /// What is asked for, by generation.
  let requests = Locked<[UInt64: Task<Void, Never>]>([:])
  let prepared: PreparedSessions
  /// Sessions that have ended and are not concluded yet.
  private let conclusions = Locked<[String: Task<Void, Never>]>([:])
  /// Sessions that this process records or concludes, or may begin.
  let ours: Locked<Set<String>>

  init(
    _ given: ReplayServices, current: Locked<SessionRunner?>, askForRecovery: @escaping @Sendable () -> Void,
    send: @escaping @Sendable (ReplayEvent) -> Void
  ) {
    let transport = StoppableTransport(given.transport)
    let services = given.with(transport)
    self.transport = transport
    self.services = services
    self.current = current
    self.send = send
    self.askForRecovery = askForRecovery
    // What is there takes its part of the budget, whoever recorded it and whoever uploads it.
    let budget = FrameBudget(limit: services.frameBudget, now: { services.now().steady }) {
      SessionDirectory.all(in: services.root).reduce(0) { sum, directory in
        directory.frameFiles().reduce(sum) { $0 + directory.size(of: $1) }
      }
    }
    wall.note(services.now())
    let gate = PathGate(wifiOnly: services.options.wifiOnly)
    let source = CredentialSource(
      base: services.base, publicKey: services.publicKey, device: services.device, store: services.credentials,
      transport: services.transport, now: { services.now().wall })
    let ingest = Ingest(
      base: services.base, transport: services.transport, credentials: source,
      breaker: CircuitBreaker { services.now().steady })
    let ours = Locked(Set<String>())
    // From now on what is named is written down.
    services.stretches?.use()
    self.budget = budget
    ring = FrameRing(root: services.root, owner: services.owner, budget: budget, stretches: services.stretches)
    self.gate = gate
    self.source = source
    self.ingest = ingest
    self.ours = ours
    prepared = PreparedSessions(root: services.root, owner: services.owner, options: services.journal)
    recovery = RecoveryLoop(
      Recovery(
        root: services.root, owner: services.owner, journalOptions: services.journal, budget: budget, gate: gate,
        stretches: services.stretches, isOurs: { id in ours.withLock { $0.contains(id) } },
        makeUpload: { ids in Self.segmentUpload(ingest, services, gate) { ids } }, wall: { services.now().wall }),
      gate: gate, after: services.after, sleep: services.sleep)
    observer = services.stretches?.observe { [recovery] in
      current.withLock { $0 }?.nudge()
      recovery.start()
    }
    let updates = Locked<UInt64>(0)
    services.path.start { [recovery] path in
      let number = updates.withLock { number in
        number &+= 1
        return number
      }
      Task {
        guard await gate.note(path, number: number) else { return }
        // A collector that was away may be there by this network.
        await ingest.breaker.retry()
        recovery.wake()
        current.withLock { $0 }?.nudge()
      }
    }
  }

  /// Whether it would do the same with these.
  func isLike(_ other: ReplayServices) -> Bool {
    services.base == other.base && services.publicKey == other.publicKey && services.options == other.options
      && services.root == other.root && services.device.deviceId == other.device.deviceId
      && services.launch == other.launch && services.stretches === other.stretches
  }

  var isCollectorAway: Bool { get async { await ingest.breaker.isOpen } }

  /// Finishes what earlier launches left, unless it is at it.
  func recover() { recovery.start() }

  /// Another one takes its place. What it is uploading still goes on, and by the network that is there then: that is watched until
  /// all of it is over.
  func retire() {
    if let observer { services.stretches?.forget(observer: observer) }
    let wasRecovering = recovery.stop()
    Task(priority: .utility) { [self] in
      await recovery.waitUntilEnded()
      // Whoever took its place has found those files in use.
      if wasRecovering { askForRecovery() }
      for task in conclusions.withLock({ Array($0.values) }) { await task.value }
      services.path.stop()
      await gate.close()
    }
  }

  /// Sends nothing more, of what it is doing either. What is left is on the disk, for the one that comes after it.
  func standDown() {
    transport.stop()
    retire()
    requests.withLock { requests in
      defer { requests = [:] }
      return requests
    }.values.forEach { $0.cancel() }
  }

  /// Whether files of sessions are used.
  var isAtWork: Bool { !ours.withLock { $0.isEmpty } || recovery.isAtWork }

  /// Forgets the credential, and waits until no session uses its files any more: a stopped transport answers at once, and has nobody
  /// wait, so that is soon.
  func forget() async {
    defer { services.credentials.write(nil) }
    for _ in 0..<Self.patience where isAtWork {
      try? await Task.sleep(nanoseconds: 10_000_000)
    }
  }

  /// In hundredths of a second.
  private static let patience = 500

  private static func segmentUpload(
    _ ingest: Ingest, _ services: ReplayServices, _ gate: PathGate,
    telemetrySessionIds: @escaping @Sendable () -> [String]
  ) -> SegmentUpload {
    SegmentUpload(
      ingest: ingest, telemetrySessionIds: telemetrySessionIds, sdkVersion: AutoMobileSDK.version,
      now: { services.now().wall }, sleep: services.sleep, isOpen: { await gate.isOpen })
  }

  func perform(_ effect: ReplayEffect) {
    switch effect {
    case .fetchConfiguration(let generation): fetchConfiguration(generation)
    case .obtainCredential(let generation, _): obtainCredential(generation)
    case .awaitNetwork(let generation, let milliseconds): awaitNetwork(generation, milliseconds)
    case .setStartTimer(let generation):
      services.after(ReplayMachine.startTimeout) { [send] in send(.startTimeout(generation: generation)) }
    case .setGraceTimer(let generation):
      services.after(ReplayMachine.grace) { [send] in send(.graceTimeout(generation: generation)) }
    case .setCapTimer(let id, let milliseconds):
      services.after(milliseconds) { [send] in send(.capReached(sessionId: id)) }
    case .abandon(let generation):
      requests.withLock { $0.removeValue(forKey: generation) }?.cancel()
      discard(generation)
    case .begin(let session, let plan): begin(session, plan)
    case .pause(let session): pause(session)
    case .resume(let session): resume(session)
    case .stopFrames: stopFrames()
    case .end: end()
    case .conclude(let session, let ending): conclude(session, ending)
    case .leaveToRecovery(let session): leave(session)
    case .answerStarts, .answerStops, .standDown: break
    }
  }

  // MARK: A session

  private func begin(_ session: ReplaySession, _ plan: ReplayPlan) {
    guard let files = prepared.take(session.id) else { return send(.refused(sessionId: session.id, .closed)) }
    let (directory, journal) = (files.directory, files.journal)
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let recorder = SessionRecorder(
      session, directory: directory, journal: journal, budget: budget, launch: services.launch, ring: ring,
      wall: wall, now: services.now, onReady: { wake.yield() },
      requestKey: { [capture = services.capture] in capture?.requestKeyFrame() })
    recorder.note(telemetrySession: services.telemetry.sessionId)
    let mayGo: @Sendable () -> MayGo = { [recorder, stretches = services.stretches] in
      recorder.record.mayGo(stretches)
    }
    ring.add(session.id, mayGo)
    let uploader = Self.segmentUpload(ingest, services, gate) { [recorder] in recorder.telemetrySessionIds }
    let upload = SessionUpload(
      directory, journal: journal, budget: budget, upload: uploader, gate: gate,
      time: { [now = services.now] in session.clock.time(at: now()) }, mayGo: mayGo,
      onRefusal: { [send] refusal in send(.refused(sessionId: session.id, refusal)) })
    let runner = SessionRunner(
      session, recorder: recorder, upload: upload, wakes: wakes, wake: wake,
      onCap: { [send] in send(.capReached(sessionId: session.id)) }
    ) {
      [recovery] in await recovery.waitForFirstPass()
    }
    recorder.note(.sessionStart)
    runner.startCheckpoints(services)
    let settings = settings(plan)
    // Before anything is one of this session's; and also where no picture is ever taken.
    services.telemetry.useMasking(MaskingRules(settings))
    services.telemetry.mark(session.id)
    current.withLock { $0 = runner }
    if services.options.captureANR {
      runner.hold(services.telemetry.observeFreezes { [weak recorder] in recorder?.note($0) })
    }
    if services.options.autoTrackNetwork { services.telemetry.startInterception() }
    if services.options.recordsTouches { services.telemetry.startTouches() }
    if !session.isTelemetryOnly { services.capture?.start(settings, sink: recorder) }
    services.onBegin?()
  }

  private func settings(_ plan: ReplayPlan) -> CaptureSettings {
    var settings = services.captureSettings
    settings.use(services.options)
    if let rate = plan.framesPerSecond { settings.framesPerSecond = rate }
    settings.masking = services.options.masking
    // The stricter of both: what the app masks, the collector cannot show.
    settings.masksTextInput = settings.masksTextInput || plan.masksTextInput == true
    settings.masksImages = settings.masksImages || plan.masksImages == true
    return settings
  }

  private func pause(_ session: ReplaySession) {
    services.capture?.pause()
    guard let runner = current.withLock({ $0 }) else { return }
    runner.setPaused(true)
    // Checkpoints go on: the process may live for long, and go through several sessions of telemetry.
    runner.recorder.note(.background)
    runner.recorder.update(session)
    runner.recorder.checkpoint()
    runner.nudge()
  }

  private func resume(_ session: ReplaySession) {
    guard let runner = current.withLock({ $0 }) else { return }
    runner.setPaused(false)
    runner.recorder.update(session)
    runner.recorder.note(.foreground)
    runner.startCheckpoints(services)
    if !session.isTelemetryOnly { services.capture?.resume() }
  }

  private func stopFrames() {
    services.capture?.stop()
    current.withLock { $0 }?.recorder.stopFrames()
  }

  private func end() {
    services.capture?.stop()
    services.onEnd?()
    services.telemetry.stopTouches()
    services.telemetry.stopInterception()
    services.telemetry.mark(nil)
    services.telemetry.useMasking(nil)
    guard let runner = current.withLock({ $0 }) else { return }
    runner.hold(nil)
    runner.stopCheckpoints()
    runner.recorder.checkpoint()
    runner.recorder.close()
  }

  private func conclude(_ session: ReplaySession, _ ending: ReplayEnding) {
    let runner = current.withLock { current in
      defer { current = nil }
      return current
    }
    guard let runner, runner.session.id == session.id else { return send(.concluded(sessionId: session.id)) }
    // From here on a later launch can finish it.
    runner.recorder.keep(ending)
    services.after(services.conclusionPatience) { [send] in send(.concluded(sessionId: session.id)) }
    let task = Task(priority: .utility) {
      [send, ours, askForRecovery, budget, ring, conclusions, owner = services.owner] in
      let fate = await runner.conclude(ending, owner: owner)
      await runner.recorder.remove(budget, isDone: fate == .concluded)
      ring.remove(session.id)
      ours.withLock { _ = $0.remove(session.id) }
      _ = conclusions.withLock { $0.removeValue(forKey: session.id) }
      send(.concluded(sessionId: session.id))
      // Also when it is switched off: it may be on again by now, and whoever was asked then has found these files in use.
      if fate != .concluded { askForRecovery() }
    }
    conclusions.withLock { conclusions in
      if ours.withLock({ $0.contains(session.id) }) { conclusions[session.id] = task }
    }
  }

  /// Uploads what was recorded until the app left. A moment later: a picture that was taken then is a file by that time.
  func uploadRest() async {
    // The time that an app has then is short, and what earlier launches left can wait.
    recovery.letThrough()
    if let runner = current.withLock({ $0 }) {
      await withCheckedContinuation { continuation in
        services.after(FrameSegments.lateness) { continuation.resume() }
      }
      await runner.uploadRest()
    }
    for task in conclusions.withLock({ Array($0.values) }) { await task.value }
  }

  private func leave(_ session: ReplaySession) {
    // What goes with it is released outside the lock.
    let runner = current.withLock { current in
      defer { current = nil }
      return current
    }
    withExtendedLifetime(runner) {}
  }
}

extension ReplayServices {
  fileprivate func with(_ transport: StoppableTransport) -> ReplayServices {
    var services = self
    services.transport = transport
    let sleep = sleep
    services.sleep = { try await transport.wait($0, sleep) }
    return services
  }
}
