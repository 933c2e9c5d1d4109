import AutoMobileSDK
import Foundation

extension Act {
  static let failures: [Act] = [
    Act(
      "AutoMobileFailures.shared", "AutoMobileFailures.recordHandledException(_:message:currentScreen:)",
      "AutoMobileFailures.recordHandledException(_:message:currentScreen:fingerprint:)",
      "AutoMobileFailures.getRecentEvents()", "AutoMobileFailures.eventCount", weight: 2
    ) { random, _ in
      let error = NSError(
        domain: random.string(), code: random.int(), userInfo: [NSUnderlyingErrorKey: OwnEvent.Refusal()])
      AutoMobileFailures.shared.recordHandledException(
        random.bool() ? error : OwnEvent.Refusal(), message: random.string(), currentScreen: random.string())
      AutoMobileFailures.shared.recordHandledException(error, message: random.string(), fingerprint: random.string())
      _ = AutoMobileFailures.shared.getRecentEvents().count == AutoMobileFailures.shared.eventCount
    },
    Act("AutoMobileFailures.clearEvents()", weight: 1) { _, _ in AutoMobileFailures.shared.clearEvents() },
    Act(
      "HandledExceptionEvent.init(timestamp:errorDomain:errorMessage:stackTrace:customMessage:currentScreen:bundleId:"
        + "appVersion:deviceInfo:)", "SdkHandledExceptionEvent.UnderlyingError.init(domain:code:message:)", weight: 2
    ) { random, _ in
      _ = HandledExceptionEvent(
        timestamp: random.int64(), errorDomain: random.string(), errorMessage: nil, stackTrace: "", customMessage: nil,
        currentScreen: nil, bundleId: "", appVersion: nil, deviceInfo: device(&random))
      _ = SdkHandledExceptionEvent.UnderlyingError(
        domain: random.string(), code: random.int(), message: random.string())
    },
    Act(
      "AutoMobileSDK.previousLaunchEnd", "AutoMobileSDK.whenPreviousLaunchEndIsKnown(_:)",
      "AutoMobileSDK.decidedPreviousLaunchEnd()", "PreviousLaunchEnd.init(verdict:evidence:launchId:lastSeen:)",
      weight: 1
    ) { random, stage in
      let sdk = stage.sdk
      let end = PreviousLaunchEnd(
        verdict: random.one(of: PreviousLaunchEnd.Verdict.allCases), evidence: random.string(),
        launchId: random.string(), lastSeen: random.int64())
      sdk.whenPreviousLaunchEndIsKnown { _ = $0 == end }
      if random.below(20) == 0 { Task.detached { _ = await sdk.decidedPreviousLaunchEnd() } }
      _ = sdk.previousLaunchEnd
    },
    Act(
      "AutoMobileHangs.shared", "AutoMobileHangs.startMonitoring()", "AutoMobileHangs.stopMonitoring()",
      "AutoMobileHangs.isMonitoring", "AutoMobileHangs.hangThresholdMs", "AutoMobileHangs.pollIntervalMs", weight: 1
    ) { random, stage in
      let hangs = AutoMobileHangs.shared
      hangs.hangThresholdMs = random.double()
      hangs.pollIntervalMs = random.double()
      // Sampling a stack takes a signal, which sanitizers put off.
      if random.bool(), !stage.isSanitized { hangs.startMonitoring() } else { hangs.stopMonitoring() }
      _ = (hangs.isMonitoring, hangs.hangThresholdMs, hangs.pollIntervalMs)
    },
  ]
}
