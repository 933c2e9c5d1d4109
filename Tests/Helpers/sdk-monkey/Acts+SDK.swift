import AutoMobileSDK
import Foundation

extension Act {
  static let sdk: [Act] = [
    Act("AutoMobileSDK.shared", "AutoMobileSDK.version") { _, _ in
      _ = (AutoMobileSDK.shared === AutoMobileSDK.shared, AutoMobileSDK.version.count)
    },
    Act("AutoMobileSDK.initialize(bundleId:)") { random, stage in
      stage.sdk.initialize(bundleId: random.optional { $0.string() })
    },
    Act("AutoMobileSDK.initialize(bundleId:configuration:)", "AutoMobileConfiguration.default") { random, stage in
      stage.sdk.initialize(bundleId: random.string(), configuration: random.bool() ? stage.configuration : .default)
    },
    Act(
      "AutoMobileSDK.initialize(bundleId:configuration:integrations:)", "AutoMobileIntegration.all",
      "AutoMobileIntegration.crashReporting", "AutoMobileIntegration.requests", "AutoMobileIntegration.interface",
      "AutoMobileIntegration.system", "AutoMobileIntegration.inspection"
    ) { random, stage in
      // Some, some of them twice, in any order.
      let integrations: [AutoMobileIntegration] =
        AutoMobileIntegration.all + [.crashReporting, .requests, .interface, .system, .inspection]
      stage.sdk.initialize(
        bundleId: random.string(), configuration: stage.configuration,
        integrations: integrations.filter { _ in random.bool() }.reversed())
    },
    Act(
      "AutoMobileConfiguration.init(endpoint:apiKey:bufferSize:flushIntervalMs:maxBreadcrumbs:sessionTimeoutMs:"
        + "storage:journalBudget:postsBatchNotifications:remoteCommands:subsystems:trackLifecycleEvents:"
        + "redactsDeepLinks:waitsForCrashAtLaunch:delivery:upload:)",
      "DeliveryPolicy.default", "DeliveryPolicy.live",
      "DeliveryPolicy.init(intervalMs:maximumBytesPerHour:maximumRequestsPerHour:allowsConstrainedNetwork:"
        + "allowsExpensiveNetwork:)"
    ) { random, stage in
      stage.sdk.initialize(
        bundleId: nil,
        configuration: AutoMobileConfiguration(
          endpoint: random.url(), apiKey: random.string(), bufferSize: random.int(), flushIntervalMs: random.int(),
          maxBreadcrumbs: random.int(), sessionTimeoutMs: random.int(), journalBudget: random.int(),
          subsystems: AutoMobileSubsystems(rawValue: UInt32(truncatingIfNeeded: random.int())),
          delivery: [
            .default, .live,
            DeliveryPolicy(
              intervalMs: random.int(), maximumBytesPerHour: random.int(), maximumRequestsPerHour: random.int()),
          ][random.below(3)],
          upload: random.bool() ? .everything : .whenTriggered(.standard)))
    },
    // Often nothing is allowed then, for as long as nobody says otherwise.
    Act("AutoMobileSDK.setConsent(_:completion:)", "AutoMobileSDK.consent") { random, stage in
      // What was recorded until the end is compared.
      guard !stage.sdk.diagnostics.isShutDown, random.below(10) == 0 || stage.sdk.consent != .granted else { return }
      let consent: Consent = random.below(4) > 0 ? .granted : random.bool() ? .pending : .denied
      stage.sdk.setConsent(consent) { _ = stage.sdk.consent }
    },
    Act("AutoMobileSDK.eraseAll(completion:)") { random, stage in
      guard !stage.sdk.diagnostics.isShutDown, random.below(200) == 0 else { return }
      stage.sdk.eraseAll { stage.sdk.trackEvent(name: "erased") }
    },
    Act(
      "AutoMobileSDK.setEnabled(_:for:)", "AutoMobileSDK.isEnabled(_:)", weight: 2
    ) { random, stage in
      let some = AutoMobileSubsystems(rawValue: UInt32(truncatingIfNeeded: random.int()))
      // Crashes and hangs have acts of their own.
      stage.sdk.setEnabled(random.below(4) > 0, for: some.subtracting([.crashes, .hangs]))
      _ = stage.sdk.isEnabled(some)
    },
    Act(
      "AutoMobileSubsystems.all", "AutoMobileSubsystems.standard", "AutoMobileSubsystems.crashes",
      "AutoMobileSubsystems.failures", "AutoMobileSubsystems.log", "AutoMobileSubsystems.hangs",
      "AutoMobileSubsystems.network", "AutoMobileSubsystems.navigation", "AutoMobileSubsystems.screens",
      "AutoMobileSubsystems.interaction", "AutoMobileSubsystems.viewBodies", "AutoMobileSubsystems.osEvents",
      "AutoMobileSubsystems.systemNotifications", "AutoMobileSubsystems.userDefaults", "AutoMobileSubsystems.databases",
      "AutoMobileSubsystems.frames", "AutoMobileSubsystems.launchTime", "AutoMobileSubsystems.metricKit",
      "AutoMobileSubsystems.lifecycleEvents"
    ) { _, stage in _ = stage.sdk.isEnabled(.standard) && stage.sdk.isEnabled(.all) },
    Act("AutoMobileSDK.setEnabled(_:)", weight: 2) { random, stage in stage.sdk.setEnabled(random.below(4) > 0) },
    Act(
      "AutoMobileSDK.isEnabled", "AutoMobileSDK.isInitialized", "AutoMobileSDK.configuration", "AutoMobileSDK.bundleId"
    ) { _, stage in
      _ = (stage.sdk.isEnabled, stage.sdk.isInitialized, stage.sdk.configuration, stage.sdk.bundleId)
    },
    Act("AutoMobileSDK.diagnostics", "AutoMobileDiagnostics.init()", "DeliveryStatus.init()") { _, stage in
      _ = stage.sdk.diagnostics == AutoMobileDiagnostics()
      _ = stage.sdk.diagnostics.delivery == DeliveryStatus()
    },
    Act("ControlStatus.init()", "ControlStatus.Entry.init(kind:at:message:)", "ControlStatus.logCapacity", weight: 2) {
      random, stage in
      var status = ControlStatus()
      status.log = [ControlStatus.Entry(kind: .applied, at: random.int64(), message: random.string())]
      _ = (stage.sdk.diagnostics.control == status, ControlStatus.logCapacity)
    },
    // At the end only; after it, the monkey goes on for a while.
    Act("AutoMobileSDK.shutdown()", weight: 0) { _, stage in stage.sdk.shutdown() },
    Act("AutoMobileSDK.shutdownAndDeliver()", weight: 0) { _, stage in
      Task { await stage.sdk.shutdownAndDeliver() }
    },
    Act("AutoMobileSDK.flush()", weight: 2) { _, stage in stage.sdk.flush() },
    Act("AutoMobileSDK.setUserId(_:)", weight: 4) { random, stage in
      stage.sdk.setUserId(random.optional { $0.string() })
    },
    Act("AutoMobileSDK.resetIdentity()", "AutoMobileSDK.anonymousId") { _, stage in
      stage.sdk.resetIdentity()
      _ = stage.sdk.anonymousId
    },
    Act("AutoMobileSDK.openURL(_:sourceApplication:)", "AutoMobileSDK.handleDeepLink(url:sourceApplication:)") {
      random, stage in
      guard let url = random.url() else { return }
      stage.sdk.openURL(url, sourceApplication: random.optional { $0.string() })
      stage.sdk.handleDeepLink(url: url, sourceApplication: nil)
    },
    Act("AutoMobileSDK.setTag(_:value:)", weight: 4) { random, stage in
      stage.sdk.setTag(random.string(), value: random.string())
    },
    Act("AutoMobileSDK.removeTag(_:)", weight: 8) { random, stage in stage.sdk.removeTag(random.string()) },
    Act("AutoMobileSDK.currentSessionId()") { _, stage in _ = stage.sdk.currentSessionId() },
    Act("AutoMobileSDK.sdkContext", weight: 2) { random, stage in changeContext(stage.sdk.sdkContext, &random) },
    Act("AutoMobileSDK.dropCounter", weight: 2) { random, stage in
      stage.sdk.dropCounter?.increment(random.one(of: DropReason.allCases))
      _ = stage.sdk.dropCounter?.snapshot()
      if random.below(10) == 0 { stage.sdk.dropCounter?.reset() }
    },
    Act("AutoMobileSDK.getEventBuffer()", "SdkEventBuffer.add(_:)") { random, stage in
      stage.sdk.getEventBuffer()?.add(event(&random))
    },
    Act("SdkEventBuffer.record(_:)") { random, stage in
      stage.sdk.getEventBuffer()?.record(SdkLifecycleEvent(state: random.string()))
    },
    Act("SdkEventBuffer.isBufferEnabled", weight: 1) { random, stage in
      stage.sdk.getEventBuffer()?.isBufferEnabled = random.below(4) > 0
    },
    Act("SdkEventBuffer.start()", "SdkEventBuffer.stop()", weight: 2) { random, stage in
      random.bool() ? stage.sdk.getEventBuffer()?.start() : stage.sdk.getEventBuffer()?.stop()
    },
    Act("AutoMobileSDK.addEventProcessor(_:)", weight: 1) { random, stage in
      let sdk = stage.sdk
      guard random.below(200) == 0, stage.props.mayAddProcessor() else { return }
      sdk.addEventProcessor { HostCode.process($0, sdk) }
    },
    Act("AutoMobileSDK.addBreadcrumbProcessor(_:)", weight: 1) { random, stage in
      let sdk = stage.sdk
      guard random.below(200) == 0, stage.props.mayAddProcessor() else { return }
      sdk.addBreadcrumbProcessor { HostCode.process($0, sdk) }
    },
    Act("AutoMobileSDK.observeBatches(_:)", "BatchObservation.cancel()", weight: 1) { random, stage in
      let sdk = stage.sdk
      stage.props.swap(random.bool() ? sdk.observeBatches { events in _ = (events.count, sdk.diagnostics) } : nil)
    },
  ]

  static let navigation: [Act] = [
    Act("AutoMobileSDK.addNavigationListener(_:)", "AutoMobileSDK.removeNavigationListener(_:)", weight: 4) {
      random, stage in
      let new: (any NavigationListener)? = random.bool() ? Listener() : nil
      if let new { stage.sdk.addNavigationListener(new) }
      if let old = stage.props.swap(new) { stage.sdk.removeNavigationListener(old) }
    },
    Act("AutoMobileSDK.addNavigationListener(_:)", weight: 2) { random, stage in
      let sdk = stage.sdk
      sdk.addNavigationListener { event in HostCode.once { sdk.notifyNavigationEvent(event) } }
    },
    Act("AutoMobileSDK.clearNavigationListeners()", "AutoMobileSDK.listenerCount", weight: 4) { _, stage in
      if stage.sdk.listenerCount > 3 { stage.sdk.clearNavigationListeners() }
    },
    Act("BlockNavigationListener.init(_:)", "BlockNavigationListener.onNavigationEvent(_:)") { random, _ in
      BlockNavigationListener { _ = $0.destination }.onNavigationEvent(navigationEvent(&random))
    },
    Act(
      "AutoMobileSDK.notifyNavigationEvent(_:)",
      "NavigationEvent.init(destination:source:timestamp:arguments:metadata:)",
      weight: 100
    ) { random, stage in stage.sdk.notifyNavigationEvent(navigationEvent(&random)) },
    Act("NavigationEvent.init(destination:source:timestamp:mixedArguments:metadata:)") { random, stage in
      stage.sdk.notifyNavigationEvent(
        NavigationEvent(
          destination: random.string(), source: random.one(of: NavigationSource.allCases),
          mixedArguments: [random.string(): random.any()], metadata: random.strings()))
    },
    Act("SwiftUINavigationAdapter.shared", "SwiftUINavigationAdapter.trackNavigation(destination:arguments:metadata:)")
    {
      random, _ in
      SwiftUINavigationAdapter.shared.trackNavigation(
        destination: random.string(), arguments: random.strings(), metadata: random.strings())
    },
    Act(
      "SwiftUINavigationAdapter.start()", "SwiftUINavigationAdapter.stop()", "SwiftUINavigationAdapter.isActive",
      weight: 2
    ) { random, _ in
      random.bool() ? SwiftUINavigationAdapter.shared.start() : SwiftUINavigationAdapter.shared.stop()
      _ = SwiftUINavigationAdapter.shared.isActive
    },
  ]

  static func navigationEvent(_ random: inout Hostile) -> NavigationEvent {
    NavigationEvent(
      destination: random.string(), source: random.one(of: NavigationSource.allCases), timestamp: random.int64(),
      arguments: random.strings(), metadata: random.strings())
  }

  static func changeContext(_ context: SdkContext?, _ random: inout Hostile) {
    switch random.below(8) {
    case 0: context?.sessionId = random.optional { $0.string() }
    case 1: context?.userId = random.optional { $0.string() }
    case 2: context?.appVersion = random.optional { $0.string() }
    case 3: context?.setTag(random.string(), value: random.string())
    case 4: context?.removeTag(random.string())
    case 5: context?.clearTags()
    case 6: context?.reset()
    default: _ = context.map { $0.snapshot() == $0.snapshot() }
    }
  }
}
