import AutoMobileHTTP
import AutoMobileJournal
import AutoMobileRecorder
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Records the requests of a session that cannot be intercepted, by standing before its delegate: background sessions, and
/// those whose `protocolClasses` an app does not want to change.
///
///     let session = URLSession(
///       configuration: .background(withIdentifier: "uploads"),
///       delegate: AutoMobileSessionDelegate(forwardingTo: uploads), delegateQueue: nil)
///
/// Everything that the session asks or tells goes on to the app's delegate. What is recorded is method, URL, headers,
/// status, sizes, error and, on Apple platforms, the phases; no bodies. A request that was intercepted as well is recorded
/// once. Tasks with a completion handler, `async` calls among them, tell a delegate nothing of their end on some systems:
/// where one is missing, record it by hand. The session calls this object on its delegate queue.
public final class AutoMobileSessionDelegate: NSObject, @unchecked Sendable {
  // Unchecked, because the app's delegate need not be Sendable: it is only called where the session calls, on its queue,
  // and what changes here is behind a lock.
  let host: (any URLSessionDelegate)?
  private let interception: NetworkInterception
  private let seen = SeenTasks<Seen>()

  private struct Seen {
    var startedAt = Clocks.millisecondsSince1970()
    var nanoseconds = ExchangeRecorder.now
    var timings: HTTPTimings?
    var transport: HTTPTransport?
    var redirects: [HTTPRedirect] = []
    /// Counted here, because on Linux data tasks do not.
    var received = 0
  }

  /// - Parameter delegate: the app's; kept, as a session keeps its delegate. Nil: nobody hears of the tasks but the SDK.
  public init(forwardingTo delegate: (any URLSessionDelegate)? = nil) {
    host = delegate
    interception = .shared
    super.init()
  }

  /// Tasks that something is kept of, for tests.
  var countOfSeen: Int { seen.count }

  /// The task does something, maybe for the first time.
  func note(_ task: URLSessionTask, in session: URLSession) { change(task, session) { _ in } }

  func note(_ task: URLSessionTask, in session: URLSession, received count: Int) {
    change(task, session) { $0.received = $0.received.adding(saturating: count) }
  }

  func noteRedirect(
    _ task: URLSessionTask, in session: URLSession, _ response: HTTPURLResponse, _ request: URLRequest
  ) {
    change(task, session) { seen in
      guard seen.redirects.count < 64 else { return }
      seen.redirects.append(
        HTTPRedirect(
          statusCode: response.statusCode, url: response.url?.absoluteString ?? "",
          location: request.url?.absoluteString ?? ""))
    }
  }

  private func change(_ task: URLSessionTask, _ session: URLSession, _ body: (inout Seen) -> Void) {
    guard interception.isNeeded else { return }
    seen.change(task, in: session, new: { Seen() }, body)
  }

  /// Nothing more is heard of its tasks.
  func invalidated(_ session: URLSession) { seen.removeAll(of: session) }

  #if canImport(Darwin)
  func measured(_ task: URLSessionTask, in session: URLSession, _ metrics: URLSessionTaskMetrics) {
    change(task, session) { seen in
      seen.startedAt = Int64(saturating: metrics.taskInterval.start.timeIntervalSince1970 * 1000)
      guard let last = metrics.transactionMetrics.last else { return }
      seen.timings = HTTPTimings(last, since: metrics.taskInterval.start)
      seen.transport = HTTPTransport(last)
    }
  }
  #endif

  func whenToldToApp(_ tell: () -> Void, then: () -> Void) {
    interception.observerQueue.end(forApp: tell, thenForObservers: then)
  }

  /// Has the observers told, unless the protocol does. When the app has been told.
  ///
  /// - Parameter end: when it was, in nanoseconds of uptime.
  func ended(_ task: URLSessionTask, _ error: (any Error)?, at end: UInt64) {
    let seen = seen.remove(task)
    guard interception.isNeeded, !InterceptedTasks.shared.contains(task), let request = task.originalRequest,
      let url = request.url, !InterceptionMark.isMarked(request),
      URLProtocol.property(forKey: URLSessionTransport.handledProperty, in: request) == nil
    else { return }
    let now = Clocks.millisecondsSince1970()
    var exchange = HTTPExchange(
      id: UUID().uuidString.lowercased(), startedAt: seen?.startedAt ?? now, method: request.httpMethod ?? "GET",
      url: url.absoluteString)
    exchange.requestHeaders = request.allHTTPHeaderFields ?? [:]
    if task.countOfBytesSent > 0 {
      exchange.requestBody = HTTPBody(bytes: nil, size: Int(clamping: task.countOfBytesSent))
    }
    if let response = task.response as? HTTPURLResponse {
      exchange.statusCode = response.statusCode
      exchange.responseHeaders = response.headersAsText
      exchange.contentType = response.value(forHTTPHeaderField: "Content-Type")
      exchange.responseBody = HTTPBody(
        bytes: nil, size: max(Int(clamping: task.countOfBytesReceived), seen?.received ?? 0))
    }
    if let seen {
      exchange.durationMs = Double(end &- seen.nanoseconds) / 1e6
      exchange.redirects = seen.redirects
      exchange.timings = seen.timings
      exchange.transport = seen.transport
      if let end = seen.timings?.responseEnd { exchange.durationMs = end }
    }
    exchange.traceparent = request.value(forHTTPHeaderField: "traceparent")
    exchange.error = error.map(HTTPFailure.init)
    exchange.source = "delegate"
    interception.report(exchange, request: request)
  }
}
