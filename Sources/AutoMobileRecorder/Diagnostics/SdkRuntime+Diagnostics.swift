import CAutoMobile

extension SdkRuntime {
  /// Counters and states, none of which is waited for.
  var diagnostics: AutoMobileDiagnostics {
    let ledger = journal.ledger
    let journalError = journal.failure
    var diagnostics = AutoMobileDiagnostics()
    diagnostics.isInitialized = true
    let guardian = crashLoopGuard.withLock { $0 }
    diagnostics.safeModeReason = guardian?.mode == .safe ? guardian?.reason : nil
    diagnostics.offReason = guardian?.mode == .off ? guardian?.reason : nil
    diagnostics.isEnabled = recorder.isEnabled
    diagnostics.isShutDown = recorder.isShutDown
    diagnostics.consent = consent.current
    diagnostics.launchId = journal.launch.description
    diagnostics.recorded = ledger.recorded
    diagnostics.dropped = ledger.dropped
    diagnostics.contextLeftOut = contexts.leftOut
    diagnostics.storage = journalError == nil ? .disk : .memory
    diagnostics.directory = directory.path
    diagnostics.mendedPages = am_guard_faults()
    diagnostics.delivery = delivery?.status
    diagnostics.upload = keeper?.status
    diagnostics.internalFailures = InternalFailures.shared.counts
    diagnostics.control = control?.status
    diagnostics.lastError =
      consent.failure ?? journalError ?? endpointError?.description
      ?? subsystems.lazy.compactMap { $0.failure() }.first ?? delivery?.status.lastError
    return diagnostics
  }
}
