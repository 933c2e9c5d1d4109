import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The spans inside of which requests were begun, from the moment when the protocol is asked about one, on the app's thread, until it
/// loads it, on another.
final class RequestSpans: Sendable {
  static let shared = RequestSpans()
  /// Of many that are never loaded, the last ones.
  private static let most = 64

  private struct Entry {
    /// Where Foundation tells it; else the request itself.
    var task: ObjectIdentifier?
    var request: URLRequest?
    var span: SdkSpanContext
  }
  private let entries = Locked<[Entry]>([])

  /// Nothing is kept of what is begun outside of all spans.
  func note(_ task: URLSessionTask) {
    if let span = SdkSpanContext.current { add(Entry(task: ObjectIdentifier(task), span: span)) }
  }

  func note(_ request: URLRequest) {
    if let span = SdkSpanContext.current { add(Entry(request: request, span: span)) }
  }

  private func add(_ entry: Entry) {
    entries.withLock { entries in
      if entries.count >= Self.most { entries.removeFirst() }
      entries.append(entry)
    }
  }

  /// The span of a request that is about to load, which is forgotten. Of equal requests that were begun one after the other, the first one's.
  func take(_ task: URLSessionTask?, _ request: URLRequest) -> SdkSpanContext? {
    let name = task.map { ObjectIdentifier($0) }
    return entries.withLock { entries in
      // The newest: a task may lie where another did.
      let found =
        name.flatMap { name in entries.lastIndex { $0.task == name } } ?? entries.firstIndex { $0.request == request }
      return found.map { entries.remove(at: $0).span }
    }
  }
}
