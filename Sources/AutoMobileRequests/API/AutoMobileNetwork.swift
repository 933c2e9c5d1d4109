import AutoMobileHTTP
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Records what an app does over HTTP and WebSockets.
///
///     AutoMobileNetwork.shared.startInterception()  // URLSession.shared, and on Apple platforms every later session
///
///     let configuration = URLSessionConfiguration.default
///     AutoMobileNetwork.shared.register(in: configuration)  // one session, everywhere
///
/// Of a request that ended, or that its process did not live to see the end of, method, URL, status, error, sizes and times are recorded; headers and, in debug builds, bodies
/// when the app asks for them. Secrets are replaced before anything is recorded: credentials' headers, and parameters
/// and JSON members by their names (``setRedactedHeaders(_:)``, ``setRedactedFields(_:)``).
///
/// Any thread; before the SDK is initialized as well: the last 32 requests and frames from before are recorded then.
public final class AutoMobileNetwork: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state`, which has a lock.
  public static let shared = AutoMobileNetwork()

  private struct State {
    var settings = NetworkSettings()
    var buffer: SdkEventBuffer?
    /// What came before there was a buffer.
    var early = RingBuffer<any SdkEvent>(capacity: AutoMobileNetwork.maximumEarlyEvents)
    var lostEarly: UInt64 = 0
    /// The SDK is off: what comes is counted there.
    var resting: SdkEventBuffer?
    /// Nothing is recorded, and nothing waits for a buffer.
    var isOff = false
    /// Some hosts get a `traceparent`.
    var hasTraceparents = false
  }

  private static let maximumEarlyEvents = 32

  /// Answers that are made up, for tests and for trying things out. Only in debug builds.
  public let mocks: NetworkMockRules
  private let state = Locked(State())
  private let underWay = RequestsUnderWay()
  private let traceparents = Traceparents()
  /// Whether requests are changed. Held while that changes, so that it ends up as it was wanted last.
  private let isModifying = Locked(false)
  private let interception: NetworkInterception
  let isDebugBuild: Bool

  /// - Parameter isDebugBuild: without it no bodies are recorded, and no request is mocked.
  init(isDebugBuild: Bool = DefaultEndpoint.isDebugBuild, interception: NetworkInterception = .shared) {
    self.isDebugBuild = isDebugBuild
    self.interception = interception
    mocks = NetworkMockRules(isEnabled: isDebugBuild) { interception.mockResponder = $0 }
  }

  // MARK: Life

  /// Where requests go from now on.
  func initialize(bundleId: String?, buffer: SdkEventBuffer) {
    let early = state.withLock { state in
      state.buffer = buffer
      state.resting = nil
      return state.early.removeAll()
    }
    for event in early { buffer.add(event) }
    interception.add(self)
  }

  /// The SDK is initialized, and off: what came before is not kept for later.
  func rest(_ host: SubsystemHost) {
    let early = state.withLock { state in
      state.resting = host.buffer
      return state.early.removeAll()
    }
    for _ in early { host.buffer.lose(.disabled) }
    countLostEarly(host)
    modifyRequests()
  }

  /// What is recorded while recording is switched off: it is counted, and nobody sees it.
  private static var unheard: SdkNetworkRequestEvent { SdkNetworkRequestEvent(url: "", method: "") }

  private func countLostEarly(_ host: SubsystemHost) {
    let lost = state.withLock { state in
      defer { state.lostEarly = 0 }
      return state.lostEarly
    }
    if lost > 0 { host.journal.countLoss(.notInitialized, lost) }
  }

  func start(_ host: SubsystemHost) {
    let unfinished = UnfinishedRequests(journal: host.journal, buffer: host.buffer)
    host.earlierLaunches.add(.requests) { unfinished.tell(of: $0) }
    if isDebugBuild { host.control?.observe(MocksSection.self) { [mocks] in mocks.setRemote($0.rules) } }
  }

  /// Records requests, or does not look at them. Mock rules answer either way.
  func setEnabled(_ enabled: Bool, _ host: SubsystemHost) {
    // What came before initialization is not kept for later by a subsystem that is off.
    let early = state.withLock { state in
      state.isOff = !enabled
      // Off with all of the SDK: then what comes is counted.
      state.resting = enabled || host.buffer.isRecording ? nil : host.buffer
      return enabled ? [] : state.early.removeAll()
    }
    withExtendedLifetime(early) {}
    modifyRequests()
    guard enabled else {
      underWay.endAll(in: host.buffer)
      return interception.remove(self)
    }
    initialize(bundleId: host.bundleId, buffer: host.buffer)
    countLostEarly(host)
  }

  package var isEnabled: Bool { state.withLock { !$0.isOff && $0.buffer != nil } }

  /// Back to the beginning: nothing is recorded, and everything is at its default.
  package func reset() {
    interception.remove(self)
    interception.deactivate(for: self)
    mocks.reset()
    traceparents.reset()
    let before = state.withLock { state in
      defer { state = State() }
      return state
    }
    isModifying.withLock { isModifying in
      isModifying = false
      interception.requestModifier = nil
    }
    shareRedaction()
    underWay.forget()
    withExtendedLifetime(before) {}
  }

  // MARK: Which sessions

  /// For the `protocolClasses` of a configuration, in the first place.
  public func protocolClass() -> AnyClass {
    listen()
    return interception.protocolClass()
  }

  /// Has the requests recorded of every session that is made with this configuration from now on. Background sessions
  /// cannot be seen: use ``recordRequest(url:method:requestHeaders:requestBodySize:statusCode:responseHeaders:responseBodySize:durationMs:error:requestBody:responseBody:contentType:)``.
  public func register(in configuration: URLSessionConfiguration) {
    listen()
    interception.register(in: configuration)
  }

  /// Has the requests recorded of `URLSession.shared`, and on Apple platforms of every session that is made from now on.
  /// A second call does nothing.
  public func startInterception() { startInterception(for: self) }

  /// Undoes ``startInterception()``. Sessions that a configuration was registered for stay recorded; and so do the others
  /// while a replay or the network log needs them covered.
  public func stopInterception() { stopInterception(for: self) }

  /// Whether sessions are recorded that were not registered by hand, whoever asked for it: the app, a replay, the network log.
  public var isIntercepting: Bool { interception.isActive }

  /// - Parameter asker: counts once, however often it asks.
  package func startInterception(for asker: any AnyObject & Sendable) {
    listen()
    interception.activate(for: asker)
  }

  package func stopInterception(for asker: any AnyObject & Sendable) { interception.deactivate(for: asker) }

  /// A subsystem that is off looks at nothing.
  private func listen() {
    if !state.withLock({ $0.isOff }) { interception.add(self) }
  }

  // MARK: The parts' view

  var settings: NetworkSettings { state.withLock { $0.settings } }

  /// Whether a request would be recorded now, or soon.
  var isRecording: Bool { state.withLock { !$0.isOff && ($0.buffer ?? $0.resting)?.isRecording ?? true } }

  func change(_ body: (inout NetworkSettings) -> Void) {
    let before = state.withLock { state in
      defer { body(&state.settings) }
      return state.settings
    }
    withExtendedLifetime(before) {}
    shareRedaction()
  }

  /// Addresses that others record lose the same secrets.
  private func shareRedaction() {
    if self === AutoMobileNetwork.shared { AddressRedaction.use(settings.ownRedaction) }
  }

  func addTraceparents(to hosts: [Glob]) {
    traceparents.setHosts(hosts)
    state.withLock { $0.hasTraceparents = !hosts.isEmpty }
    modifyRequests()
  }

  /// Whoever is off adds nothing to the app's requests, either.
  private func modifyRequests() {
    isModifying.withLock { isModifying in
      let isWanted = state.withLock { $0.hasTraceparents && !$0.isOff && $0.resting == nil }
      guard isWanted != isModifying else { return }
      isModifying = isWanted
      let traceparents = traceparents
      let modifier: NetworkInterception.RequestModifier = { traceparents.add(to: $0, in: $1) }
      interception.requestModifier = isWanted ? modifier : nil
    }
  }

  /// Records an exchange as the settings have it. Durable when it returns, if the SDK is initialized.
  func record(_ exchange: HTTPExchange) {
    let (settings, buffer, resting, isOff) = state.withLock { ($0.settings, $0.buffer, $0.resting, $0.isOff) }
    // Counted with its reason, and not looked at.
    if let resting { return resting.lose(.disabled) }
    guard !isOff else { return }
    if let buffer, !buffer.isRecording { return buffer.record(Self.unheard) }
    guard let recorded = settings.recorded(exchange, isDebugBuild: isDebugBuild) else { return }
    let event = SdkNetworkRequestEvent(recorded)
    guard let buffer else { return keep(event) }
    buffer.record(event)
  }

  /// A request goes out: the next launch hears of it when this one does not live to see its end.
  func begin(_ exchange: HTTPExchange) {
    let (settings, buffer, isOff) = state.withLock { ($0.settings, $0.buffer, $0.isOff) }
    guard !isOff, let buffer, let begun = settings.recorded(exchange, isDebugBuild: isDebugBuild) else { return }
    underWay.begin(SdkNetworkRequestEvent(begun), id: exchange.id, in: buffer)
  }

  /// It has ended, whatever was recorded of it.
  func end(_ id: String) {
    guard let buffer = state.withLock({ $0.buffer }) else { return }
    underWay.end(id, in: buffer)
  }

  /// Too much waits to be recorded.
  func lose(_ exchange: HTTPExchange) {
    let (settings, buffer, isOff) = state.withLock { ($0.settings, $0.buffer, $0.isOff) }
    guard !isOff, SessionSampling.isSampled(exchange.id, rate: settings.sampleRate) else { return }
    buffer?.lose(.bufferOverflow)
  }

  /// A frame, when its turn comes: not in the way of whoever sent or received it.
  ///
  /// - Parameter bytes: of its payload.
  func later(bytes: Int, _ work: @escaping @Sendable () -> Void) {
    guard !interception.observerQueue.add(bytes: bytes, work) else { return }
    state.withLock { $0.isOff ? nil : $0.buffer }?.lose(.bufferOverflow)
  }

  func record(_ frame: SdkWebSocketFrameEvent) {
    let (buffer, resting, isOff) = state.withLock { ($0.buffer, $0.resting, $0.isOff) }
    if let resting { return resting.lose(.disabled) }
    if isOff { return }
    if let buffer { buffer.record(frame) } else { keep(frame) }
  }

  private func keep(_ event: some SdkEvent) {
    let late = state.withLock { state -> SdkEventBuffer? in
      // It may have come meanwhile.
      if let buffer = state.buffer { return buffer }
      if state.early.append(event) != nil { state.lostEarly &+= 1 }
      return nil
    }
    late?.record(event)
  }

  /// Whoever else wants to know of what was recorded by hand.
  func tellOthers(_ exchange: HTTPExchange) { interception.report(exchange) }
  func tellOthers(_ frame: HTTPWebSocketFrame) { interception.report(frame) }
}
