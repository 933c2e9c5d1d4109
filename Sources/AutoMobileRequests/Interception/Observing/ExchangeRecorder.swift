import AutoMobileHTTP
import AutoMobileRecorder
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tells the observers that a request has begun, gathers what is to be known of it while it runs, and has them told that,
/// once, when it has ended.
// Unchecked, because the compiler cannot see that a recorder belongs to one load at a time, which uses it on its lane;
// a redirect hands it to the next load through `RedirectsUnderWay`, which has a lock.
final class ExchangeRecorder: @unchecked Sendable {
  private struct Observation {
    var observer: any NetworkObserver
    var interest: CaptureInterest
  }
  private let observations: [Observation]
  private let startedAtNanoseconds = now
  private let interception: NetworkInterception
  private var exchange: HTTPExchange
  private let beginning: ExchangeBeginning
  private var isOver = false
  private var requestBody: BodyTap?
  private var responseBody: BodyCapture
  private var firstByteAt: Double?
  /// The most bytes of a body that anybody wants.
  let bodyLimit: Int

  /// Asks the observers; nil when nobody wants to know of this request.
  init?(
    _ request: URLRequest, _ interception: NetworkInterception, source: String = "urlprotocol",
    in span: SdkSpanContext? = nil
  ) {
    observations = interception.observers.compactMap { observer in
      observer.interest(in: request).map { Observation(observer: observer, interest: $0) }
    }
    guard !observations.isEmpty else { return nil }
    self.interception = interception
    bodyLimit = observations.map(\.interest.bodyLimit).max() ?? 0
    responseBody = BodyCapture(limit: bodyLimit)
    var exchange = HTTPExchange(
      id: UUID().uuidString.lowercased(), startedAt: Clocks.millisecondsSince1970(),
      method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "")
    exchange.requestHeaders = request.allHTTPHeaderFields ?? [:]
    exchange.traceparent = request.value(forHTTPHeaderField: "traceparent")
    exchange.join(span)
    exchange.source = source
    self.exchange = exchange
    beginning = ExchangeBeginning(exchange, observations.map(\.observer))
  }

  /// The request has been sent, or is kept waiting.
  func sent() { if !isOver { beginning.tellSoon() } }

  /// The app is about to get something of the answer.
  func willAnswer() { if !isOver { beginning.tell() } }

  /// Where the body that is sent can be seen.
  func sends(_ body: BodyTap) { requestBody = body }

  func answered(by rule: String) { exchange.mockRule = rule }

  func received(_ response: URLResponse) {
    if firstByteAt == nil { firstByteAt = elapsed }
    guard let response = response as? HTTPURLResponse else {
      exchange.contentType = response.mimeType
      return
    }
    exchange.statusCode = response.statusCode
    exchange.responseHeaders = response.headersAsText
    exchange.contentType = response.value(forHTTPHeaderField: "Content-Type")
  }

  func received(_ data: Data) { responseBody.add(data) }

  /// Bytes of the answer that went somewhere else.
  func received(unseen count: Int) { responseBody.add(unseen: count) }

  func redirected(by response: HTTPURLResponse, to request: URLRequest) {
    // A loop ends at the loading system's own limit, which is lower.
    guard exchange.redirects.count < 64 else { return }
    exchange.redirects.append(
      HTTPRedirect(
        statusCode: response.statusCode, url: response.url?.absoluteString ?? "",
        location: request.url?.absoluteString ?? "", atMs: elapsed))
    firstByteAt = nil
  }

  #if canImport(Darwin)
  func measured(_ metrics: URLSessionTaskMetrics) {
    guard let last = metrics.transactionMetrics.last else { return }
    exchange.timings = HTTPTimings(last, since: metrics.taskInterval.start)
    exchange.transport = HTTPTransport(last)
  }
  #endif

  /// Has the observers told, in their time. A second call does nothing.
  ///
  /// - Parameter end: when it was, in nanoseconds of uptime.
  func ended(_ error: (any Error)?, at end: UInt64 = now) {
    guard !isOver else { return }
    isOver = true
    beginning.end()
    exchange.durationMs = elapsed(at: end)
    exchange.error = error.map(HTTPFailure.init)
    if exchange.timings == nil, let firstByteAt {
      var timings = HTTPTimings()
      timings.responseStart = firstByteAt
      timings.responseEnd = error == nil ? exchange.durationMs : nil
      exchange.timings = timings
    }
    let sent = requestBody?.capture
    for observation in observations {
      var exchange = exchange
      exchange.requestBody = sent.map { $0.body(limit: observation.interest.bodyLimit) }
      if exchange.statusCode != nil {
        exchange.responseBody = responseBody.body(limit: observation.interest.bodyLimit)
      }
      interception.tell(observation.observer, exchange)
    }
  }

  /// In nanoseconds of uptime.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Milliseconds since the request came.
  private var elapsed: Double { elapsed(at: Self.now) }
  private func elapsed(at time: UInt64) -> Double { Double(time &- startedAtNanoseconds) / 1e6 }
}

extension HTTPURLResponse {
  /// Its headers, without what is no text.
  var headersAsText: [String: String] {
    var headers: [String: String] = [:]
    for (name, value) in allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    return headers
  }
}

extension HTTPFailure {
  init(_ error: any Error) {
    let error = error as NSError
    self.init(message: error.localizedDescription, domain: error.domain, code: error.code)
  }
}
