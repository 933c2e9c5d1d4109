import AutoMobileJournal
import AutoMobileRecorder
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way: sent through a forwarding session, and what comes back is handed to the app's session as it
/// arrives, and told to the recorder.
// Unchecked, because the compiler cannot see that what changes does so on one queue, the lane of `session`: the
// protocol's calls hop there first, the session's delegate is called there.
final class InterceptedLoad: @unchecked Sendable {
  let host: any HostSide
  private let session: ForwardingSession
  private let interception: NetworkInterception
  /// The one inside of which the app made the request.
  private let span: SdkSpanContext?
  private var task: URLSessionTask?
  private var recorder: ExchangeRecorder?
  private var tap: BodyTap?
  private var stream: InputStream?
  private var isOver = false
  private var isSuspended = false
  /// The answer's pieces, when the app's session wants them in one.
  private var pieces: [Data] = []

  init(
    host: any HostSide, session: ForwardingSession, interception: NetworkInterception, in span: SdkSpanContext? = nil
  ) {
    self.host = host
    self.session = session
    self.interception = interception
    self.span = span
  }

  // MARK: From the protocol, any thread

  func start(_ request: HostRequest) {
    HandedOverBody.read(request) { [self] request in session.lane.async { [self] in begin(request) } }
  }

  /// The app ended it, or nobody needs it any more.
  func stop() {
    host.stop()
    session.lane.async { [self] in end(URLError(.cancelled)) }
  }

  func suspend() {
    session.lane.async { [self] in
      guard !isSuspended else { return }
      isSuspended = true
      if let task { session.call { task.suspend() } }
    }
  }

  func resume() {
    session.lane.async { [self] in
      guard isSuspended else { return }
      isSuspended = false
      if let task { session.call { task.resume() } }
    }
  }

  // MARK: On the lane

  private func begin(_ original: HostRequest) {
    guard !isOver else { return }
    var changed = original
    if let modify = interception.requestModifier { changed.request = modify(original.request, span) }
    let host = changed
    recorder =
      RedirectsUnderWay.shared.claim(original.request)
      ?? ExchangeRecorder(host.request, interception, in: span)
    if case .broken(let error) = host.body { return ended(error) }
    guard let answer = mockAnswer(to: host) else { return send(host) }
    recorder?.answered(by: answer.rule)
    guard answer.delay > 0 else { return give(answer, to: host) }
    recorder?.sent()
    let delay = DispatchTimeInterval.milliseconds(Int(saturating: min(answer.delay, 86_400) * 1000))
    session.lane.asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self, !isOver else { return }
      give(answer, to: host)
    }
  }

  private func send(_ original: HostRequest) {
    var original = original
    original.request = InterceptionMark.marked(original.request)
    if case .stream(let stream) = original.body { self.stream = stream }
    let limit = recorder?.bodyLimit
    let sent = original
    session.begin(self) {
      sent.task(of: $0, limit: limit)
    } then: { [self] task, tap in
      self.task = task
      self.tap = tap
      if let tap { recorder?.sends(tap) }
      if isOver {
        session.forget(task)
        session.call { task.cancel() }
      }
      return !isOver && !isSuspended
    } sent: { [self] in
      recorder?.sent()
    }
  }

  func received(_ response: URLResponse) {
    guard !isOver else { return }
    recorder?.willAnswer()
    // Foundation's own sessions cache what this answer came through, with the app's own cache: a second time is once too
    // often.
    host.perform { urlProtocol, client in
      client.urlProtocol(urlProtocol, didReceive: response, cacheStoragePolicy: .notAllowed)
    }
    recorder?.received(response)
  }

  func received(_ data: Data) {
    guard !isOver else { return }
    recorder?.received(data)
    if host.wantsWholeBody { return pieces.append(data) }
    host.deliver(data)
  }

  func redirected(
    _ response: HTTPURLResponse, to request: URLRequest, answer: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard !isOver else { return Self.forgetRedirect(answer) }
    recorder?.willAnswer()
    let unmarked = InterceptionMark.unmarked(request)
    host.decide(on: response, redirectingTo: unmarked) { [self] decision in
      session.lane.async { [self] in
        switch decision {
        case .follow(let request):
          guard !isOver else { return Self.forgetRedirect(answer) }
          guard let request else { return answer(nil) }
          recorder?.redirected(by: response, to: request)
          let modified = interception.requestModifier.map { $0(request, span) } ?? request
          answer(InterceptionMark.marked(modified))
        case .handOver(let request):
          answer(nil)
          handOver(response, to: request)
        }
      }
    }
  }

  /// The task was cancelled while the app thought about a redirect.
  private static func forgetRedirect(_ answer: (URLRequest?) -> Void) {
    #if !canImport(FoundationNetworking)
    answer(nil)
    #endif
    // On Linux an answer to a task that is over stops the process.
  }

  /// The app's session begins a new load of the redirect's target, if it follows.
  private func handOver(_ response: HTTPURLResponse, to request: URLRequest) {
    guard !isOver else { return }
    isOver = true
    if let task { session.call { task.cancel() } }
    var request = request
    if let recorder {
      recorder.received(response)
      request = RedirectsUnderWay.shared.add(recorder, by: response, to: request, on: session.lane)
    }
    let target = request
    host.perform { urlProtocol, client in
      client.urlProtocol(urlProtocol, wasRedirectedTo: target, redirectResponse: response)
      // Ends this load for the loading system; the app does not see the error.
      client.urlProtocol(
        urlProtocol, didFailWithError: NSError(domain: NSCocoaErrorDomain, code: CocoaError.userCancelled.rawValue))
    }
  }

  func needsBodyStream(_ answer: @escaping @Sendable (InputStream?) -> Void) {
    let tap = tap
    let give: @Sendable (InputStream?) -> Void = { stream in
      guard let stream, let tap else { return answer(stream) }
      answer(HostRequest.tapped(stream, tap))
    }
    if let stream {
      // Once; of a second one only the app could know.
      self.stream = nil
      return give(stream)
    }
    host.bodyStream(give)
  }

  #if canImport(Darwin)
  func measured(_ metrics: URLSessionTaskMetrics) { recorder?.measured(metrics) }
  #endif

  func ended(_ error: (any Error)?) {
    guard !isOver else { return }
    isOver = true
    let end = ExchangeRecorder.now
    interception.observerQueue.end {
      finish(error)
    } thenForObservers: {
      recorder?.ended(error, at: end)
    }
  }

  private func finish(_ error: (any Error)?) {
    let body = host.wantsWholeBody ? Self.joined(pieces) : nil
    pieces = []
    host.perform { urlProtocol, client in
      if let error { return client.urlProtocol(urlProtocol, didFailWithError: error) }
      if let body { client.urlProtocol(urlProtocol, didLoad: body) }
      client.urlProtocolDidFinishLoading(urlProtocol)
    }
  }

  private static func joined(_ pieces: [Data]) -> Data? {
    guard pieces.count > 1 else { return pieces.first }
    var body = Data(capacity: pieces.reduce(0) { $0.adding(saturating: $1.count) })
    for piece in pieces { body.append(piece) }
    return body
  }

  private func end(_ error: any Error) {
    guard !isOver else { return }
    isOver = true
    pieces = []
    if let task {
      session.forget(task)
      session.call { task.cancel() }
    }
    recorder?.ended(error)
  }

  // MARK: Mocks

  private func mockAnswer(to host: HostRequest) -> MockAnswer? {
    guard let responder = interception.mockResponder else { return nil }
    let body = responder.needsBody ? host.wholeBody(limit: NetworkInterception.longestBodyForMocks) : nil
    return responder.answer(host.request, body: body)
  }

  private func give(_ answer: MockAnswer, to original: HostRequest) {
    switch answer.outcome {
    case .passthrough: send(original)
    case .failure(let code):
      noteBody(of: original)
      let userInfo = original.request.url.map { [NSURLErrorFailingURLErrorKey: $0] }
      ended(URLError(code, userInfo: userInfo ?? [:]))
    case .response(let status, let headers, let body):
      noteBody(of: original)
      guard let url = original.request.url,
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
      else { return ended(URLError(.badServerResponse)) }
      received(response)
      if !body.isEmpty { received(body) }
      ended(nil)
    }
  }

  /// What would have been sent.
  private func noteBody(of original: HostRequest) {
    guard let recorder else { return }
    switch original.body {
    case .ofRequest:
      if let body = original.request.httpBody { recorder.sends(BodyTap(body, limit: recorder.bodyLimit)) }
    case .data(let data): recorder.sends(BodyTap(data, limit: recorder.bodyLimit))
    case .file(let file): recorder.sends(BodyTap(file: file, limit: recorder.bodyLimit))
    case .stream, .onDemand, .handedOver, .begun, .broken: break
    }
  }
}
