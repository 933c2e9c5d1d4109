import AutoMobileSupport

/// Follows the app from its launch on: settles who uses it as soon as that can be read, and records the lifecycle events.
final class LifecycleTracker: Sendable {
  private let machine: Locked<LifecycleMachine>
  private let app: AppVersion
  private let storage: LifecycleStorage
  private let identity: Identity
  private let context: SdkContext
  private let lifecycle: any ApplicationLifecycle
  private let recorder: EventRecorder
  /// 1 while events are recorded; else only the identity is settled.
  private let enabled: AtomicWord
  /// What the launch says of the installation, as long as nobody has heard of it.
  private let untold = Locked<LifecycleEvent?>(nil)

  init(
    app: AppVersion, store: any KeyValueStore, identity: Identity, context: SdkContext,
    lifecycle: any ApplicationLifecycle, recorder: EventRecorder, isEnabled: Bool
  ) {
    machine = Locked(LifecycleMachine(app: app))
    self.app = app
    storage = LifecycleStorage(store: store)
    self.identity = identity
    self.context = context
    self.lifecycle = lifecycle
    self.recorder = recorder
    enabled = AtomicWord(isEnabled ? 1 : 0)
  }

  func start() {
    lifecycle.start { [weak self] in
      self?.launch($0)
    } onSignal: { [weak self] in
      self?.receive($0)
    }
  }

  func stop() { lifecycle.stop() }

  var isEnabled: Bool { enabled.value == 1 }

  func setEnabled(_ isEnabled: Bool) {
    enabled.store(isEnabled ? 1 : 0)
    recordingMayHaveBegun()
  }

  /// Tells what has waited for that. Any thread.
  func recordingMayHaveBegun() {
    guard isEnabled, recorder.isRecording, let event = untold.withLock({ $0.take() }) else { return }
    switch recorder.outcome(ofRecording: event.customEvent) {
    case .recorded, .unwanted:
      // After the event: when the process dies in between, the next launch tells it again rather than nobody.
      storage.keep(app)
    case .off, .failed: untold.withLock { $0 = event }
    }
  }

  /// - Returns: false when no event will carry it.
  func note(_ link: DeepLink) -> Bool {
    guard isEnabled else { return false }
    machine.withLock { $0.note(link) }
    return true
  }

  private func launch(_ state: ApplicationState) {
    guard let hadIdentity = identity.settle(into: context) else { return }
    let previous = storage.app
    let isNew = !hadIdentity || storage.hasUntoldInstallation
    // Also when it is switched off: it may be switched on later in this launch.
    let launch = machine.withLock { $0.launch(state, previous: previous, hadIdentity: !isNew) }
    untold.withLock { $0 = launch.installation }
    recordingMayHaveBegun()
    if case .installed = untold.withLock({ $0 }) { storage.noteUntoldInstallation() }
    if isEnabled, let opening = launch.opening { record([opening]) }
  }

  private func receive(_ signal: ApplicationSignal) {
    let events = machine.withLock { $0.receive(signal) }
    guard isEnabled else { return }
    recordingMayHaveBegun()
    record(events)
    // What goes to the background may not come back: what is there goes out now, this event with it.
    if signal != .becameActive { recorder.flush() }
  }

  private func record(_ events: [LifecycleEvent]) {
    for event in events { recorder.record(event.customEvent) }
  }
}
