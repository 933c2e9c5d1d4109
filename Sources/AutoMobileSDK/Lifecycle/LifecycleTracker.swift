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

  func setEnabled(_ isEnabled: Bool) { enabled.store(isEnabled ? 1 : 0) }

  /// - Returns: false when no event will carry it.
  func note(_ link: DeepLink) -> Bool {
    guard isEnabled else { return false }
    machine.withLock { $0.note(link) }
    return true
  }

  private func launch(_ state: ApplicationState) {
    guard let hadIdentity = identity.settle(into: context) else { return }
    let previous = storage.app
    // Also when it is switched off: it may be switched on later in this launch.
    let events = machine.withLock { $0.launch(state, previous: previous, hadIdentity: hadIdentity) }
    guard isEnabled else { return }
    record(events)
    // After the events: when the process dies in between, the next launch tells them again rather than nobody.
    if previous != app { storage.keep(app) }
  }

  private func receive(_ signal: ApplicationSignal) {
    let events = machine.withLock { $0.receive(signal) }
    guard isEnabled else { return }
    record(events)
    // What goes to the background may not come back: what is there goes out now, this event with it.
    if signal != .becameActive { recorder.flush() }
  }

  private func record(_ events: [LifecycleEvent]) {
    for event in events { recorder.record(event.customEvent) }
  }
}
