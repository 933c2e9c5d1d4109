import AutoMobileSDK
import Foundation

extension Act {
  static let logging: [Act] = [
    Act("AutoMobileLog.shared", "AutoMobileLog.v(_:_:)", "AutoMobileLog.d(_:_:)", "AutoMobileLog.i(_:_:)", weight: 60) {
      random, _ in
      AutoMobileLog.shared.v(random.optional { $0.string() }, random.string())
      AutoMobileLog.shared.d(random.optional { $0.string() }, random.string())
      AutoMobileLog.shared.i(random.optional { $0.string() }, random.string())
    },
    Act("AutoMobileLog.w(_:_:)", "AutoMobileLog.e(_:_:)", "AutoMobileLog.fault(_:_:)", weight: 60) { random, _ in
      AutoMobileLog.shared.w(random.optional { $0.string() }, random.string())
      AutoMobileLog.shared.e(random.optional { $0.string() }, random.string())
      AutoMobileLog.shared.fault(random.optional { $0.string() }, random.string())
    },
    Act("AutoMobileLog.addFilter(name:tagPattern:messagePattern:minLevel:)", weight: 1) { random, _ in
      AutoMobileLog.shared.addFilter(
        name: random.one(of: ["a", "b", ""]), tagPattern: random.optional { $0.one(of: ["s.*n", "[", "(a+)+$"]) },
        messagePattern: random.optional { $0.one(of: ["q", "", "\\d+"]) }, minLevel: level(&random))
    },
    Act("AutoMobileLog.addFilter(name:tagPattern:messagePattern:minLevel:)", weight: 1) { random, _ in
      let pattern = try? NSRegularExpression(pattern: "screen|a")
      AutoMobileLog.shared.addFilter(
        name: random.one(of: ["a", "c"]), tagPattern: pattern, messagePattern: nil, minLevel: level(&random))
    },
    Act("AutoMobileLog.removeFilter(name:)", "AutoMobileLog.filterCount", weight: 1) { random, _ in
      AutoMobileLog.shared.removeFilter(name: random.one(of: ["a", "b", "none"]))
      _ = AutoMobileLog.shared.filterCount
    },
    Act("AutoMobileLog.clearFilters()", weight: 1) { random, _ in
      if random.below(20) == 0 { AutoMobileLog.shared.clearFilters() }
    },
  ]

  static let crashes: [Act] = [
    Act(
      "AutoMobileCrashes.shared", "AutoMobileCrashes.isInitialized", "AutoMobileCrashes.previousCrash",
      "AutoMobileCrashes.currentScreenProvider",
      weight: 2
    ) {
      random, _ in
      _ = (AutoMobileCrashes.shared.isInitialized, AutoMobileCrashes.shared.previousCrash)
      let name = random.string()
      if random.bool() {
        AutoMobileCrashes.shared.currentScreenProvider = nil
      } else {
        AutoMobileCrashes.shared.currentScreenProvider = { name }
      }
      _ = AutoMobileCrashes.shared.currentScreenProvider?()
    },
    Act("AutoMobileCrashes.enableSignalHandlers()", "AutoMobileCrashes.disableSignalHandlers()", weight: 1) {
      random, stage in
      guard !stage.isSanitized, random.below(10) == 0 else { return }
      if random.bool() {
        AutoMobileCrashes.shared.enableSignalHandlers()
      } else {
        AutoMobileCrashes.shared.disableSignalHandlers()
      }
    },
    Act(
      "AutoMobileCrashes.enableSignalHandlers(_:)", "CrashSignals.abort",
      "CrashSignals.arithmeticError", "CrashSignals.busError", "CrashSignals.illegalInstruction",
      "CrashSignals.segmentationFault", "CrashSignals.standard", "CrashSignals.trap", weight: 1
    ) { random, stage in
      guard !stage.isSanitized, random.below(10) == 0 else { return }
      let known: [CrashSignals] = [
        .abort, .arithmeticError, .busError, .illegalInstruction, .segmentationFault, .standard, .trap,
      ]
      let unknown = CrashSignals(rawValue: UInt32(truncatingIfNeeded: random.int()))
      AutoMobileCrashes.shared.enableSignalHandlers(random.bool() ? random.one(of: known) : unknown)
    },
    Act("AutoMobileCrashes.prepareCurrentThread()", weight: 2) { _, stage in
      // Sanitizers watch alternate stacks of their own making.
      if !stage.isSanitized { AutoMobileCrashes.shared.prepareCurrentThread() }
    },
  ]

  static let parts: [Act] = [
    Act(
      "SdkContext.init()", "SdkContext.sessionId", "SdkContext.userId", "SdkContext.appVersion",
      "SdkContext.setTag(_:value:)", "SdkContext.removeTag(_:)", "SdkContext.clearTags()", "SdkContext.reset()",
      "SdkContext.snapshot()"
    ) { random, _ in
      let context = SdkContext()
      for _ in 0..<4 { changeContext(context, &random) }
      _ = (context.sessionId, context.userId, context.appVersion)
    },
    Act(
      "SessionTracker.init(timeoutMs:uuidProvider:timerFactory:)", "SessionTracker.onForeground()",
      "SessionTracker.onBackground()", "SessionTracker.currentSessionId()", "SessionTracker.shutdown()", weight: 4
    ) { random, _ in
      let name = random.string()
      let tracker = SessionTracker(timeoutMs: random.int(), uuidProvider: { name })
      for _ in 0..<6 {
        switch random.below(4) {
        case 0: tracker.onForeground()
        case 1: tracker.onBackground()
        case 2: tracker.shutdown()
        default: _ = tracker.currentSessionId()
        }
      }
    },
    Act("GCDTimer.init()", "GCDTimer.schedule(intervalMs:block:)", "GCDTimer.cancel()", weight: 2) { random, _ in
      let timer = GCDTimer()
      timer.schedule(intervalMs: random.int()) {}
      timer.schedule(intervalMs: random.int()) { [weak timer] in timer?.cancel() }
      if random.bool() { timer.cancel() }
    },
    Act(
      "DefaultDropCounter.init()", "DefaultDropCounter.increment(_:)", "DefaultDropCounter.increment(_:count:)",
      "DefaultDropCounter.snapshot()", "DefaultDropCounter.reset()"
    ) { random, _ in
      let counter = DefaultDropCounter()
      for _ in 0..<4 {
        counter.increment(random.one(of: DropReason.allCases))
        counter.increment(random.one(of: DropReason.allCases), count: random.int())
      }
      _ = counter.snapshot()
      counter.reset()
    },
    Act(
      "BreadcrumbTrail.init(maxSize:)", "BreadcrumbTrail.add(_:)", "BreadcrumbTrail.snapshot()",
      "BreadcrumbTrail.clear()",
      weight: 2
    ) { random, _ in
      let trail = BreadcrumbTrail(maxSize: random.int())
      for _ in 0..<3 { trail.add(breadcrumb(&random)) }
      _ = trail.snapshot()
      trail.clear()
    },
    Act(
      "BreadcrumbTrail.writeToDisk(directory:)", "BreadcrumbTrail.loadFromDisk(directory:)",
      "BreadcrumbTrail.clearDisk(directory:)", weight: 1
    ) { random, stage in
      guard random.below(20) == 0 else { return }
      let directory = stage.directory.appendingPathComponent(random.one(of: ["trail", "none/of/them"]))
      let trail = BreadcrumbTrail(maxSize: 10)
      trail.add(breadcrumb(&random))
      trail.writeToDisk(directory: directory)
      _ = BreadcrumbTrail.loadFromDisk(directory: directory)
      if random.bool() { BreadcrumbTrail.clearDisk(directory: directory) }
    },
  ]

  /// A pipeline that an app builds of the parts.
  static let pipeline: [Act] = [
    Act(
      "SdkEventBuffer.init(maxBufferSize:flushIntervalMs:timerFactory:dropCounter:onFlush:)", "SdkEventBuffer.flush()",
      "SdkEventBuffer.shutdown()", weight: 2
    ) { random, _ in
      let buffer = SdkEventBuffer(
        maxBufferSize: random.one(of: [1, 2, random.int()]), flushIntervalMs: random.int(),
        dropCounter: DefaultDropCounter()
      ) { if $0.count.isMultiple(of: 2) { throw OwnEvent.Refusal() } }
      if random.bool() { buffer.start() }
      for _ in 0..<5 { buffer.add(event(&random)) }
      if random.bool() { buffer.flush() }
      if random.bool() { buffer.shutdown() }
    },
    Act(
      "FileEventPersistence.init(directory:)", "FileEventPersistence.persist(_:)", "FileEventPersistence.loadPending()",
      "FileEventPersistence.removeBatch(_:)", "FileEventPersistence.cleanup(maxAgeDays:)", weight: 1
    ) { random, stage in
      guard random.below(50) == 0 else { return }
      let persistence = FileEventPersistence(directory: stage.directory.appendingPathComponent("batches"))
      persistence.persist([SdkLifecycleEvent(state: random.one(of: ["a", "b"]))])
      for (batch, _) in persistence.loadPending() { persistence.removeBatch(random.bool() ? batch : random.string()) }
      persistence.cleanup(maxAgeDays: random.int())
    },
    Act(
      "SdkEventBroadcaster.shared", "SdkEventBroadcaster.setCtrlProxyUrl(_:)", "SdkEventBroadcaster.persistence",
      "SdkEventBroadcaster.retryPolicy", "SdkEventBroadcaster.broadcastBatch(bundleId:events:)",
      "SdkEventBroadcaster.replayPending(bundleId:)", "SdkEventBroadcaster.eventBatchNotification",
      "SdkEventBroadcaster.eventBatchUserInfoKey", "SdkEventBroadcaster.dropCounter", weight: 1
    ) { random, stage in
      guard random.below(50) == 0 else { return }
      let broadcaster = SdkEventBroadcaster.shared
      // Nowhere, or where nobody listens.
      broadcaster.setCtrlProxyUrl(random.bool() ? nil : URL(string: "http://127.0.0.1:1"))
      broadcaster.retryPolicy = RetryPolicy(maxRetries: 0)
      broadcaster.persistence = random.bool() ? nil : FileEventPersistence(directory: stage.directory)
      let token = NotificationCenter.default.addObserver(
        forName: SdkEventBroadcaster.eventBatchNotification, object: nil, queue: nil
      ) { _ = $0.userInfo?[SdkEventBroadcaster.eventBatchUserInfoKey] }
      broadcaster.broadcastBatch(bundleId: random.string(), events: [SdkLifecycleEvent(state: random.string())])
      broadcaster.replayPending(bundleId: nil)
      _ = broadcaster.dropCounter.snapshot()
      NotificationCenter.default.removeObserver(token)
    },
  ]
}
