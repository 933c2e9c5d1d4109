import Dispatch

extension AutoMobileSDK {
  /// What the user has allowed, as far as the SDK knows.
  ///
  /// Before initialization what was said until then, or ``Consent/granted``.
  public var consent: Consent {
    state.withLock { $0.runtime?.consent.current ?? $0.off?.consent ?? $0.consent ?? .granted }
  }

  /// Says what the user has allowed; also before `initialize(bundleId:configuration:)`. Any thread; returns at once.
  ///
  ///     var configuration = AutoMobileConfiguration(endpoint: collector)
  ///     configuration.consent = .pending
  ///     AutoMobileSDK.shared.initialize(bundleId: "com.example.app", configuration: configuration)
  ///     // … and when the user has answered:
  ///     AutoMobileSDK.shared.setConsent(isAgreed ? .granted : .denied)
  ///
  /// It holds in later launches, and within a second or two in other processes that record into the same directory.
  ///
  /// ``Consent/denied`` stops everything, as ``setEnabled(_:)`` does, and erases what is on the device: what was recorded and not
  /// delivered (which counts as ``DropReason/erased``), crash reports, replays, the network log, user id and
  /// ``anonymousId``. Nothing of such a launch is ever told, nor is its crash. What a collector has already received stays there.
  ///
  /// - Parameters:
  ///   - consent: the user's answer.
  ///   - completion: called once, on a background queue, when that is done; at once before initialization.
  public func setConsent(_ consent: Consent, completion: (@Sendable () -> Void)? = nil) {
    let completion = Self.barred(completion)
    let isHeard = state.withLock { state in
      state.consent = consent
      // Under the lock, so that of two callers the later one has its way. It only sets flags and posts to a queue.
      if let runtime = state.runtime {
        runtime.setConsent(consent, completion: completion)
      } else if let off = state.off {
        off.setConsent(consent, completion: completion)
      } else if state.phase == .initializing {
        state.awaitConsent.append(completion)
      } else {
        return false
      }
      return true
    }
    if !isHeard { completion() }
  }

  /// Has those called back who have said something while the SDK was initialized on another thread, when that has been done.
  func settleConsent() {
    let (waiting, runtime, off) = state.withLock { state in
      defer { state.awaitConsent = [] }
      return (state.awaitConsent, state.runtime, state.off)
    }
    guard !waiting.isEmpty else { return }
    let callBack: @Sendable () -> Void = { waiting.forEach { $0() } }
    if let runtime {
      runtime.afterDecisions(callBack)
    } else if let off {
      off.afterDecisions(callBack)
    } else {
      BackgroundQueue.run(callBack)
    }
  }

  /// Erases what the SDK keeps of the user on this device, for "delete my data", and goes on with somebody unknown: without user
  /// id and tags, with another ``anonymousId``, in another session. Any thread; returns at once.
  ///
  ///     AutoMobileSDK.shared.eraseAll { confirm("Your data has been deleted from this device.") }
  ///
  /// Erased is what ``setConsent(_:completion:)`` erases for ``Consent/denied``, in every process that records into the same
  /// directory. A replay that is recorded ends. What a collector has already received stays there. Before initialization, which
  /// knows where what is to be erased lies, it is kept in memory, and done then, before anything is sent.
  ///
  /// - Parameter completion: called once, on a background queue, when nothing is left.
  public func eraseAll(completion: (@Sendable () -> Void)? = nil) {
    let completion = Self.barred(completion)
    withRuntime { _, runtime in
      runtime.eraseAll(completion: completion)
    } orOff: {
      $0.eraseAll(completion: completion)
    }
  }

  private static func barred(_ completion: (@Sendable () -> Void)?) -> @Sendable () -> Void {
    guard let completion else { return {} }
    return { ErrorBarrier.run(.consentCompletion, completion) }
  }
}
