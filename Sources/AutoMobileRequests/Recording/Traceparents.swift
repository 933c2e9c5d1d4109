import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Adds W3C `traceparent` headers (https://www.w3.org/TR/trace-context/) to requests to some hosts.
final class Traceparents: Sendable {
  private struct State {
    var hosts: [Glob] = []
    /// The last ones that were added here: they do not follow a redirect to another host.
    var recent = RingBuffer<String>(capacity: 256)
  }

  static let header = "traceparent"
  private let state = Locked(State())

  func setHosts(_ hosts: [Glob]) { state.withLock { $0.hosts = hosts } }

  func reset() { state.withLock { $0 = State() } }

  /// One that is there already stays.
  ///
  /// - Parameter span: the one inside of which the request is made: it goes on with that one's trace.
  func add(to request: URLRequest, in span: SdkSpanContext? = nil) -> URLRequest {
    let existing = request.value(forHTTPHeaderField: Self.header)
    let hosts = state.withLock { $0.hosts }
    let host = request.url?.host ?? ""
    guard hosts.contains(where: { $0.matches(host) }) else {
      guard let existing, state.withLock({ $0.recent.elements.contains(existing) }) else { return request }
      var request = request
      request.setValue(nil, forHTTPHeaderField: Self.header)
      return request
    }
    guard existing == nil else { return request }
    let traceparent = Self.make(in: span)
    _ = state.withLock { $0.recent.append(traceparent) }
    var request = request
    request.setValue(traceparent, forHTTPHeaderField: Self.header)
    return request
  }

  /// A new span, the request itself; without one around it in a trace of its own. Sampled, for whoever asks for it wants to see it.
  static func make(in span: SdkSpanContext? = nil) -> String { SdkSpanContext(childOf: span).traceparent }
}
