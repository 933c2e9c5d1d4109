import AutoMobileJournal

/// How calls from before `initialize(bundleId:configuration:)` reach the runtime.
extension AutoMobileSDK {
  /// Calls `body` with the runtime: now, or, before there is one, as soon as there is, in the order of all that was said.
  ///
  /// - Parameter orOff: called instead when the SDK stays off in this launch.
  func withRuntime(_ body: @escaping EarlyCalls.Call, orOff: (@Sendable (SdkThatStaysOff) -> Void)? = nil) {
    if let runtime { return body(self, runtime) }
    // First, so that whoever decides to stay off finds it.
    if let orOff {
      state.withLock { state in
        if state.toTellOff.count < EarlyCalls.mostOthers { state.toTellOff.append(orOff) }
      }
    }
    switch earlyCalls.keep(body) {
    case .kept: break
    case .closed: if let runtime { body(self, runtime) } else { tellOff() }
    case .lost:
      state.withLock { $0.lastError = "more than \(EarlyCalls.mostOthers) calls before initialize: some are lost" }
    }
  }

  /// Says to the SDK that stays off what concerns it; forgets it when there is none.
  func tellOff() {
    let (calls, off) = state.withLock { state in
      defer { state.toTellOff = [] }
      return (state.toTellOff, state.off)
    }
    if let off { calls.forEach { $0(off) } }
  }

  /// - Parameter subsystem: whose event it is: recorded only when that is on at initialization, and else counted as `disabled`.
  @_semantics("optimize.sil.specialize.generic.never") @inline(never)
  func keepEarly(_ event: some SdkEvent, of subsystem: AutoMobileSubsystems = []) {
    guard state.withLock({ $0.runtime != nil || $0.isEnabled }) else {
      earlyCalls.count(.disabled)
      // It may have come meanwhile, and have been told what was counted.
      if let runtime { earlyCalls.credit(runtime.recorder) }
      return
    }
    let size = try? withEncodedEvent(event, contextId: nil) { $0.count }
    guard earlyCalls.keepEvent(size: size, { $1.record(event, of: subsystem) }) == .closed else { return }
    // Closed and made under one lock: there is a runtime, or there will be none.
    guard let runtime else { return earlyCalls.count(.notInitialized) }
    runtime.record(event, of: subsystem)
  }

  @inline(never)
  func keepEarly(_ breadcrumb: Breadcrumb) {
    guard state.withLock({ $0.runtime != nil || $0.isEnabled }) else { return }
    let size = breadcrumb.metadata.reduce(80 + breadcrumb.message.utf8.count) {
      $0.adding(saturating: $1.key.utf8.count + $1.value.utf8.count)
    }
    guard earlyCalls.keepBreadcrumb(size: size, { $1.recorder.record(breadcrumb) }) == .closed else { return }
    runtime?.recorder.record(breadcrumb)
  }
}

extension SdkRuntime {
  /// Records what has been said before a subsystem was started.
  @_semantics("optimize.sil.specialize.generic.never") @inline(never)
  fileprivate func record(_ event: some SdkEvent, of subsystem: AutoMobileSubsystems) {
    guard isEnabled(subsystem) else { return recorder.journal.countLoss(.disabled) }
    recorder.record(event)
  }
}
