import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// ``RequestTransport`` over a `URLSession` of its own: nothing cached, no cookies, no waiting for connectivity, answers
/// bounded.
package final class URLSessionTransport: RequestTransport {
  /// The property by which the SDK's own requests are known, so that its network recording leaves them alone.
  package static let handledProperty = "dev.jasonpearson.automobile.sdk.handled"
  /// Answers longer than this many bytes are failures.
  package static let longestAnswer = 256 * 1024

  private let delegate: AnswerCollector
  private let queue = OperationQueue()
  let networks: NetworkPermissions
  #if !canImport(FoundationNetworking)
  private let session: URLSession
  #endif

  /// - Parameters:
  ///   - longestAnswer: in bytes.
  ///   - followsRedirects: otherwise a redirect is an answer.
  ///   - networks: over which it sends. The others are to it as if there were none.
  package init(
    longestAnswer: Int = URLSessionTransport.longestAnswer, followsRedirects: Bool = false,
    networks: NetworkPermissions = .all
  ) {
    self.networks = networks
    delegate = AnswerCollector(longestAnswer: longestAnswer, followsRedirects: followsRedirects)
    queue.maxConcurrentOperationCount = 1
    queue.name = "dev.jasonpearson.automobile.sdk.http"
    #if !canImport(FoundationNetworking)
    session = URLSession(configuration: Self.configuration(networks), delegate: delegate, delegateQueue: queue)
    #endif
  }

  deinit {
    #if canImport(FoundationNetworking)
    cancelAll()
    #else
    // A session keeps its delegate until it is told that it is no longer needed.
    session.invalidateAndCancel()
    #endif
  }

  package func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void) {
    #if canImport(FoundationNetworking)
    // Foundation on Linux cannot send a body again, and hangs when a connection that it kept open turns out to be dead.
    // A session for each request keeps none.
    let session = URLSession(configuration: Self.configuration(networks), delegate: delegate, delegateQueue: queue)
    defer { session.finishTasksAndInvalidate() }
    #endif
    let task = session.dataTask(with: Self.urlRequest(request))
    delegate.expect(task, within: request.timeouts.whole, completion: completion)
    task.resume()
  }

  package func cancelAll() { delegate.failAll("the delivery was stopped") }

  private static func configuration(_ networks: NetworkPermissions) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    configuration.httpMaximumConnectionsPerHost = 1
    // Also a protocol class that somebody registered for all sessions sees nothing of the SDK's own traffic.
    #if canImport(FoundationNetworking)
    configuration.protocolClasses = NativeLoader.classes
    #else
    configuration.protocolClasses = []
    configuration.waitsForConnectivity = false
    networks.apply(to: configuration)
    #endif
    return configuration
  }

  static func urlRequest(_ request: HTTPRequest) -> URLRequest {
    let mutable = NSMutableURLRequest(url: request.url)
    mutable.httpMethod = request.method
    mutable.timeoutInterval = request.timeouts.silence
    mutable.cachePolicy = .reloadIgnoringLocalCacheData
    mutable.httpShouldHandleCookies = false
    for (name, value) in request.headers { mutable.setValue(value, forHTTPHeaderField: name) }
    mutable.httpBody = request.body
    URLProtocol.setProperty(true, forKey: handledProperty, in: mutable)
    let whole = mutable as URLRequest
    #if canImport(Darwin)
    var limited = whole
    limited.allowsExpensiveNetworkAccess = request.allowsExpensive
    return limited
    #else
    return whole
    #endif
  }

  /// The request to which a redirect leads, known as the SDK's own.
  fileprivate static func marked(_ request: URLRequest) -> URLRequest {
    InterceptionMark.change(request) { URLProtocol.setProperty(true, forKey: handledProperty, in: $0) }
  }
}

/// Gathers what arrives for each task, and hands out its answer once.
private final class AnswerCollector: NSObject, URLSessionDataDelegate, Sendable {
  private struct Expected {
    var task: URLSessionTask
    var body = Data()
    var wasExpensive = false
    let deadline: any DispatchSourceTimer
    var completion: @Sendable (HTTPAnswer) -> Void
  }

  private let longestAnswer: Int
  private let followsRedirects: Bool

  init(longestAnswer: Int, followsRedirects: Bool) {
    self.longestAnswer = longestAnswer
    self.followsRedirects = followsRedirects
  }

  /// By task, which is kept alive here: identifiers are unique within one session only.
  private let expected = Locked<[ObjectIdentifier: Expected]>([:])

  /// - Parameter seconds: for the whole answer. The session's own limit on that does not hold on every platform.
  func expect(
    _ task: URLSessionTask, within seconds: Double, completion: @escaping @Sendable (HTTPAnswer) -> Void
  ) {
    // A timer, because it is gone with the answer: a block that is delayed would be kept until it is due.
    let deadline = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    deadline.schedule(deadline: .now() + max(0, seconds))
    deadline.setEventHandler { [weak self, weak task] in
      guard let task else { return }
      self?.fail(task, "no complete response within \(seconds) s")
    }
    expected.withLock {
      $0[ObjectIdentifier(task)] = Expected(task: task, deadline: deadline, completion: completion)
    }
    deadline.activate()
  }

  /// Ends a task with a failure, unless it has been answered.
  func fail(_ task: URLSessionTask, _ reason: String) {
    guard let known = take(task) else { return }
    task.cancel()
    known.completion(.failed(reason))
  }

  func failAll(_ reason: String) {
    for known in expected.withLock({ Array($0.values) }) { fail(known.task, reason) }
  }

  private func take(_ task: URLSessionTask) -> Expected? {
    let known = expected.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
    known?.deadline.cancel()
    return known
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    ErrorBarrier.run(.urlSessionDelegate) { receive(data, dataTask) }
  }

  private func receive(_ data: Data, _ dataTask: URLSessionDataTask) {
    let fits = expected.withLock { expected -> Bool in
      guard let held = expected[ObjectIdentifier(dataTask)]?.body.count else { return true }
      guard data.count <= longestAnswer - held else { return false }
      expected[ObjectIdentifier(dataTask)]?.body.append(data)
      return true
    }
    if !fits { fail(dataTask, "the response is longer than \(longestAnswer) bytes") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ErrorBarrier.run(.urlSessionDelegate) { complete(task, error) }
  }

  private func complete(_ task: URLSessionTask, _ error: (any Error)?) {
    guard let known = take(task) else { return }
    if let error {
      var answer = Self.failure(error)
      answer.bytesSent = Int(clamping: task.countOfBytesSent)
      answer.wasExpensive = known.wasExpensive
      return known.completion(answer)
    }
    guard let response = task.response as? HTTPURLResponse else {
      return known.completion(.failed("not an HTTP response"))
    }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
    }
    var answer = HTTPAnswer(status: response.statusCode, headers: headers, body: known.body)
    answer.wasExpensive = known.wasExpensive
    known.completion(answer)
  }

  private static func failure(_ error: any Error) -> HTTPAnswer {
    #if canImport(Darwin)
    if let refusal = NetworkPermissions.refusal(of: error) {
      var answer = HTTPAnswer.failed(refusal)
      answer.isNetworkRefused = true
      return answer
    }
    #endif
    return .failed(error.localizedDescription)
  }

  #if canImport(Darwin)
  // Called before the task completes.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      guard metrics.transactionMetrics.contains(where: { $0.isExpensive }) else { return }
      expected.withLock { $0[ObjectIdentifier(task)]?.wasExpensive = true }
    }
  }
  #endif

  // For deliveries, a redirect is an answer. Followed, it would carry events and key to somebody the app did not name, or turn
  // the POST into a GET, whose 200 means nothing.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    ErrorBarrier.run(.urlSessionDelegate) {
      completionHandler(followsRedirects ? URLSessionTransport.marked(request) : nil)
    }
  }
}
