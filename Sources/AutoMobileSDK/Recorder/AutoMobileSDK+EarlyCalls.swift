import AutoMobileJournal

/// How calls from before ``initialize(bundleId:configuration:)`` reach the runtime.
extension AutoMobileSDK {
  /// Calls `body` with the runtime: now, or, before there is one, as soon as there is, in the order of all that was said.
  func withRuntime(_ body: @escaping EarlyCalls.Call) {
    if let runtime { return body(self, runtime) }
    switch earlyCalls.keep(body) {
    case .kept: break
    case .closed: if let runtime { body(self, runtime) }
    case .lost:
      state.withLock { $0.lastError = "more than \(EarlyCalls.mostOthers) calls before initialize: some are lost" }
    }
  }

  @inline(never)
  func keepEarly(_ event: some SdkEvent) {
    guard state.withLock({ $0.runtime != nil || $0.isEnabled }) else {
      earlyCalls.count(.disabled)
      // It may have come meanwhile, and have been told what was counted.
      if let runtime { earlyCalls.credit(runtime.recorder) }
      return
    }
    let size = try? withEncodedEvent(event, contextId: nil) { $0.count }
    guard earlyCalls.keepEvent(size: size, { $1.recorder.record(event) }) == .closed else { return }
    // Closed and made under one lock: there is a runtime, or there will be none.
    guard let runtime else { return earlyCalls.count(.notInitialized) }
    runtime.recorder.record(event)
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
