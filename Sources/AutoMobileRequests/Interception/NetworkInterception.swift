import AutoMobileHTTP
import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where requests of the app are seen: who wants to know of them, who may answer or change them, and whether sessions that
/// were not told by hand are covered.
///
/// There is one, because protocol classes are registered for the whole process and made by Foundation. Any thread.
package final class NetworkInterception: Sendable {
  package static let shared = NetworkInterception()

  /// Longer bodies are not shown to ``mockResponder``.
  package static let longestBodyForMocks = 1 << 20

  private struct State {
    var observers: [any NetworkObserver] = []
    /// Kept, so that no two have the same identity.
    var askers: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    var mockResponder: (any MockResponding)?
    var requestModifier: RequestModifier?
  }
  private let state = Locked(State())
  /// Held while sessions are covered or uncovered, so that it ends up as the last one wanted.
  private let covering = Locked(())
  /// Where observers hear of what is over.
  let observerQueue = ObserverQueue()

  private init() {}

  /// A second time does nothing. Observers are kept until they are removed.
  package func add(_ observer: any NetworkObserver) {
    state.withLock { state in
      if !state.observers.contains(where: { $0 === observer }) { state.observers.append(observer) }
    }
  }

  package func remove(_ observer: any NetworkObserver) {
    let removed = state.withLock { state in
      state.observers.firstIndex { $0 === observer }.map { state.observers.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  /// Somebody hears of requests, answers them or changes them.
  var isNeeded: Bool {
    state.withLock { !$0.observers.isEmpty || $0.mockResponder != nil || $0.requestModifier != nil }
  }

  var observers: [any NetworkObserver] { state.withLock { $0.observers } }

  /// Asked before a request goes out.
  package var mockResponder: (any MockResponding)? {
    get { state.withLock { $0.mockResponder } }
    set {
      let previous = state.withLock { state in
        defer { state.mockResponder = newValue }
        return state.mockResponder
      }
      withExtendedLifetime(previous) {}
    }
  }

  /// Gets a request and the span inside of which the app made it.
  package typealias RequestModifier = @Sendable (URLRequest, SdkSpanContext?) -> URLRequest

  /// Changes a request before it goes out, for example adds `traceparent`. What it gives is what is sent and recorded.
  ///
  /// Called on a queue of the interception's, once for each request, and again for each redirect.
  package var requestModifier: RequestModifier? {
    get { state.withLock { $0.requestModifier } }
    set {
      let previous = state.withLock { state in
        defer { state.requestModifier = newValue }
        return state.requestModifier
      }
      withExtendedLifetime(previous) {}
    }
  }

  /// Whether sessions are covered that were not told by hand.
  package var isActive: Bool { state.withLock { !$0.askers.isEmpty } }

  /// Whether this one has asked for that.
  package func isActive(for asker: any AnyObject & Sendable) -> Bool {
    state.withLock { $0.askers[ObjectIdentifier(asker)] != nil }
  }

  /// Covers `URLSession.shared`, and on Apple platforms every session that is made from now on, until everybody who asked for
  /// that has let go. A second time does nothing.
  ///
  /// - Parameter asker: who asks; nil: nobody in particular. Kept until it lets go.
  package func activate(for asker: (any AnyObject & Sendable)? = nil) {
    let asker = asker ?? self
    covering.withLock { _ in
      let isFirst = state.withLock { state in
        defer { state.askers[ObjectIdentifier(asker)] = asker }
        return state.askers.isEmpty
      }
      guard isFirst else { return }
      RegisteredURLProtocol.register()
      #if canImport(AutoMobileErrorBarrier)
      EveryConfiguration.cover()
      #endif
    }
  }

  /// Undoes ``activate(for:)`` for one who asked; nothing for one who did not. Requests under way go on, and are recorded.
  package func deactivate(for asker: (any AnyObject & Sendable)? = nil) {
    let asker = asker ?? self
    covering.withLock { _ in
      let wasLast = state.withLock {
        $0.askers.removeValue(forKey: ObjectIdentifier(asker)) != nil && $0.askers.isEmpty
      }
      guard wasLast else { return }
      RegisteredURLProtocol.unregister()
      #if canImport(AutoMobileErrorBarrier)
      EveryConfiguration.uncover()
      #endif
    }
  }

  /// For the `protocolClasses` of a configuration, in the first place.
  package func protocolClass() -> AnyClass { AutoMobileURLProtocol.self }

  /// Covers the sessions that are made with this configuration, whether the interception is active or not.
  package func register(in configuration: URLSessionConfiguration) {
    configuration.protocolClasses =
      [ConfiguredClasses.shared.protocolClass(for: configuration)] + ForwardingKey.others(in: configuration)
  }

  /// Has an observer told of an exchange that it was asked about.
  func tell(_ observer: any NetworkObserver, _ exchange: HTTPExchange) {
    let bytes = (exchange.requestBody?.bytes?.count ?? 0).adding(saturating: exchange.responseBody?.bytes?.count ?? 0)
    guard !observerQueue.add(bytes: bytes, { observer.exchangeEnded(exchange) }) else { return }
    observer.exchangeLost(exchange)
  }

  /// Returns when the observers have heard of everything that was over until now, or after some seconds.
  package func settle(within seconds: Double) async {
    await withCheckedContinuation { continuation in
      let isFirst = AtomicWord(1)
      let resume: @Sendable () -> Void = {
        if isFirst.exchange(1, for: 0) { continuation.resume() }
      }
      observerQueue.whenDone(resume)
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds, execute: resume)
    }
  }

  /// Has the observers told of an exchange that was not intercepted: recorded by hand, or by a delegate forwarder.
  ///
  /// - Parameter request: what observers are asked about; nil: one made of the exchange's URL, method and headers.
  package func report(_ exchange: HTTPExchange, request: URLRequest? = nil) {
    guard let request = request ?? URLRequest(exchange) else { return }
    for observer in observers {
      guard let limit = observer.interest(in: request)?.bodyLimit else { continue }
      var exchange = exchange
      exchange.requestBody?.cut(to: limit)
      exchange.responseBody?.cut(to: limit)
      tell(observer, exchange)
    }
  }

  /// Has the observers told of a frame that went over a WebSocket.
  func report(_ frame: HTTPWebSocketFrame) {
    let bytes = frame.payload?.bytes?.count ?? 0
    for observer in observers {
      if !observerQueue.add(bytes: bytes, { observer.framePassed(frame) }) { observer.frameLost(frame) }
    }
  }
}

extension HTTPBody {
  fileprivate mutating func cut(to limit: Int) { bytes = limit > 0 ? bytes?.prefix(limit) : nil }
}

extension URLRequest {
  fileprivate init?(_ exchange: HTTPExchange) {
    guard let url = URL(string: exchange.url) else { return nil }
    self.init(url: url)
    httpMethod = exchange.method
    allHTTPHeaderFields = exchange.requestHeaders
  }
}
