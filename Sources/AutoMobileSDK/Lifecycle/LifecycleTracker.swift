/// Follows the app from its launch on: settles who uses it as soon as that can be read, and records the lifecycle events.
final class LifecycleTracker: Sendable {
  private let machine: Locked<LifecycleMachine>
  private let app: AppVersion
  private let storage: LifecycleStorage
  private let identity: Identity
  private let context: SdkContext
  private let lifecycle: any ApplicationLifecycle
  private let recorder: EventRecorder
  /// Without, only the identity is settled.
  private let recordsEvents: Bool

  init(
    app: AppVersion, store: any KeyValueStore, identity: Identity, context: SdkContext,
    lifecycle: any ApplicationLifecycle, recorder: EventRecorder, recordsEvents: Bool
  ) {
    machine = Locked(LifecycleMachine(app: app))
    self.app = app
    storage = LifecycleStorage(store: store)
    self.identity = identity
    self.context = context
    self.lifecycle = lifecycle
    self.recorder = recorder
    self.recordsEvents = recordsEvents
  }

  func start() {
    lifecycle.start { [weak self] in
      self?.launch($0)
    } onSignal: { [weak self] in
      self?.receive($0)
    }
  }

  func stop() { lifecycle.stop() }

  /// - Returns: false when no event will ever carry it.
  func note(_ link: DeepLink) -> Bool {
    guard recordsEvents else { return false }
    machine.withLock { $0.note(link) }
    return true
  }

  private func launch(_ state: ApplicationState) {
    guard let hadIdentity = identity.settle() else { return }
    context.anonymousId = identity.anonymousId
    if context.userId == nil { context.userId = identity.storedUserId }
    guard recordsEvents else { return }
    let previous = storage.app
    record(machine.withLock { $0.launch(state, previous: previous, hadIdentity: hadIdentity) })
    // After the events: when the process dies in between, the next launch tells them again rather than nobody.
    if previous != app { storage.keep(app) }
  }

  private func receive(_ signal: ApplicationSignal) {
    guard recordsEvents else { return }
    record(machine.withLock { $0.receive(signal) })
    // What goes to the background may not come back: what is there goes out now, this event with it.
    if signal != .becameActive { recorder.flush() }
  }

  private func record(_ events: [LifecycleEvent]) {
    for event in events { recorder.record(event.customEvent) }
  }
}
