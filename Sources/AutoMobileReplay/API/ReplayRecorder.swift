import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// The recorder of a process, from the app's side: holds what was configured, and hands everything on.
package final class ReplayRecorder: Sendable {
  private struct State {
    var publicKey: String?
    var options = ReplayOptions()
    var lifecycle: (any ApplicationLifecycle)?
  }

  private let state: Locked<State>
  /// Whether the SDK is on at this moment.
  private let isAllowed = Locked<@Sendable () -> Bool>({ true })
  /// Whether the app may be observed at this moment.
  private let mayObserve = Locked<@Sendable () -> Bool>({ true })
  private let telemetry: any ReplayTelemetry
  private let screens: ScreenHandover
  private let wall: @Sendable () -> Int64
  let controller: ReplayController

  /// - Parameters:
  ///   - telemetry: what screens and events go to.
  ///   - services: what a start needs, for this key and these options; nil: something is missing.
  package init(
    telemetry: any ReplayTelemetry, isInForeground: Bool = true,
    now: @escaping @Sendable () -> ReplayMoment = {
      ReplayMoment(wall: Clocks.millisecondsSince1970(), steady: Clocks.continuousMilliseconds())
    },
    services: @escaping @Sendable (String, ReplayOptions) -> ReplayServices?
  ) {
    let state = Locked(State())
    let screens = ScreenHandover(mayKeep: { [mayObserve] in mayObserve.withLock({ $0 })() }) {
      telemetry.trackScreen($0, at: $1)
    }
    self.state = state
    self.telemetry = telemetry
    self.screens = screens
    wall = { now().wall }
    controller = ReplayController(
      isInForeground: isInForeground, now: now, isAllowed: { [isAllowed] in isAllowed.withLock({ $0 })() }
    ) {
      let (publicKey, options) = state.withLock { ($0.publicKey, $0.options) }
      guard let publicKey, !publicKey.isEmpty, var services = services(publicKey, options) else { return nil }
      services.onBegin = { screens.begin() }
      services.onEnd = { screens.end() }
      return services
    }
  }

  /// The one of the process.
  convenience init() {
    self.init(telemetry: SdkTelemetry(), isInForeground: Self.startsInForeground) { ReplayServices.live($0, $1) }
    follow(.shared)
  }

  /// Rests while the SDK is switched off, by the app or by the collector, and while nothing may leave the device: pictures of the
  /// screen are not taken before the user has agreed. What there is goes when the SDK erases what it keeps.
  package func follow(_ sdk: AutoMobileSDK) {
    isAllowed.withLock { $0 = { [weak sdk] in sdk?.mayUpload ?? false } }
    mayObserve.withLock {
      $0 = { [weak sdk] in
        // Before it is initialized, nobody knows what the user has said.
        guard let sdk, sdk.isInitialized else { return true }
        return sdk.isObserving && sdk.consent != .denied
      }
    }
    sdk.uploadObservers.add { [weak controller, weak sdk] isOn in
      // What has been said since counts: somebody may have started a replay on the strength of it.
      let isOn = isOn || sdk?.mayUpload == true
      controller?.send(.switched(on: isOn))
      if isOn { controller?.recover() }
    }
    sdk.erasers.add { [weak self] done in
      guard let self else { return done() }
      Task(priority: .utility) {
        await self.erase()
        done()
      }
    } over: { [weak controller] in
      controller?.erasureIsOver()
    } onPermission: { [weak controller] in
      // The SDK is initialized, and it may not have been when the replay was configured.
      controller?.recover()
    }
  }

  /// Ends what is recorded, and forgets what is not uploaded, and the credential. The files are the SDK's to remove.
  private func erase() async {
    screens.forget()
    await controller.erase()
    // Also of an earlier launch, when none has been recorded in this one; and what came in at the last moment.
    SystemCredentials.store.write(nil)
  }

  /// Where nobody tells of the app's life, it is in the foreground; elsewhere that is told.
  private static var startsInForeground: Bool {
    #if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    false
    #else
    true
    #endif
  }

  package var sessionId: String? { controller.current.withLock { $0?.session.id } }

  package func configure(publicKey: String, options: ReplayOptions) {
    state.withLock { state in
      state.publicKey = publicKey
      state.options = options
    }
    // What earlier launches left waits for this key.
    controller.recover()
  }

  package func start() async -> ReplayStartResult {
    guard isAllowed.withLock({ $0 })() else { return .failed("disabled") }
    // Whoever has just switched the SDK on need not wait until that has been told.
    controller.send(.switched(on: true))
    let host = AutoMobileSDK.shared.replayHost
    if let host { observeLifecycle(host.lifecycle, lendTime: host.lendTime) }
    // An extension or a command-line tool is never told that it is in the foreground, and would wait for ever.
    if let host, host.lifecycle == nil { controller.send(.enteredForeground) }
    // It may have been switched off in between, and have said so before it was switched on here.
    if !isAllowed.withLock({ $0 })() { controller.send(.switched(on: false)) }
    return await controller.start()
  }

  package func stop() async -> ReplayStopResult { await controller.stop() }

  package func identify(_ userId: String?) {
    let bounded = userId.map { String($0.prefix(Self.longestName)) }
    // The SDK keeps it, also before a replay begins: said again then, it would bring back who has logged out meanwhile.
    telemetry.identify(bounded)
    controller.current.withLock { $0 }?.recorder.note(user: bounded)
  }

  package func trackScreen(_ name: String) {
    let name = String(AutoMobileSDK.redacted(screenName: name).prefix(Self.longestName))
    screens.shown(name, at: wall())
  }

  package func logEvent(_ name: String, _ properties: [String: MetadataValue]) {
    guard screens.isRecording else { return }
    telemetry.logEvent(String(name.prefix(Self.longestName)), properties)
  }

  private static let longestName = 1000

  /// Once for the process.
  func observeLifecycle(_ lifecycle: (any ApplicationLifecycle)?, lendTime: @escaping BackgroundDelivery.Begin) {
    let isFirst = state.withLock { state in
      guard state.lifecycle == nil, lifecycle != nil else { return false }
      state.lifecycle = lifecycle
      return true
    }
    guard isFirst else { return }
    // What was recorded until then is uploaded in time that is asked for here: soon the process may be suspended.
    let leaving = BackgroundDelivery(begin: lendTime) { [controller] done in
      Task(priority: .utility) {
        await controller.uploadRest()
        done()
      }
    }
    lifecycle?.start { [controller] state in
      if state == .active { controller.send(.enteredForeground) }
    } onSignal: { [controller] signal in
      switch signal {
      case .becameActive: controller.send(.enteredForeground)
      case .enteredBackground:
        controller.send(.enteredBackground)
        leaving.run()
      case .willTerminate: controller.send(.willTerminate)
      }
    }
  }
}
