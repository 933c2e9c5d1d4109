import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The spans inside of which tasks were begun, from the moment when the protocol is asked about a task, on the app's thread, until it
/// loads it, on another.
final class RequestSpans: Sendable {
  static let shared = RequestSpans()

  private let state = Locked(RingBuffer<(task: ObjectIdentifier, span: SdkSpanContext)>(capacity: 64))

  /// Nothing is kept of a task outside of all spans; of many that are never loaded, the last ones.
  func note(_ task: URLSessionTask) {
    guard let span = SdkSpanContext.current else { return }
    _ = state.withLock { $0.append((ObjectIdentifier(task), span)) }
  }

  /// The newest one, for a task may lie where another did.
  func span(of task: URLSessionTask?) -> SdkSpanContext? {
    guard let task else { return nil }
    let name = ObjectIdentifier(task)
    return state.withLock { $0.elements.last { $0.task == name }?.span }
  }
}
