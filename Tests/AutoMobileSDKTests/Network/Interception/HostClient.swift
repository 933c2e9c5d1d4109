import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an app sees of a request, in the order in which it sees it.
struct Transcript: Equatable, CustomStringConvertible, Sendable {
  var events: [String] = []
  var status: Int?
  var url: String?
  var headers: [String: String]?
  var body = Data()
  var errorDomain: String?
  var errorCode: Int?

  var description: String {
    let shown = String(decoding: body.prefix(300), as: UTF8.self)
    return "\(events) \(status ?? 0) \(url ?? "") \(headers ?? [:]) \(body.count) bytes «\(shown)» "
      + "\(errorDomain ?? "") \(errorCode ?? 0)"
  }

  mutating func ended(_ response: URLResponse?, _ error: (any Error)?) {
    let response = response as? HTTPURLResponse
    status = response?.statusCode
    url = response?.url?.absoluteString
    headers = response?.headersAsText
    errorDomain = (error as NSError?)?.domain
    errorCode = (error as NSError?)?.code
  }
}

/// What an app asks for, and how it answers when it is asked.
struct Scenario: Sendable {
  enum Style: String, CaseIterable, Sendable { case delegate, completion }
  enum Upload: Sendable { case none, data(Data), file(Data), onDemand(Data) }
  enum Redirects: Sendable { case follow, refuse, changeHeader }
  enum Cancel: Sendable { case never, atOnce, atResponse, atData, atRedirect }

  var name: String
  var path: String
  var method = "GET"
  var headers: [String: String] = [:]
  var body: Data?
  var bodyStream: Data?
  var upload = Upload.none
  var isDownload = false
  var timeout: TimeInterval?
  var redirects = Redirects.follow
  var credential: (user: String, password: String)?
  var cancel = Cancel.never
  var styles = Style.allCases

  func request(_ server: URL) -> URLRequest {
    var request = URLRequest(url: URL(string: server.absoluteString + path) ?? server)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if let body { request.httpBody = body }
    if let bodyStream { request.httpBodyStream = InputStream(data: bodyStream) }
    if let timeout { request.timeoutInterval = timeout }
    return request
  }
}

/// An app that makes one request after the other, each in a session of its own, and writes down what it sees.
enum HostClient {
  static func run(
    _ scenario: Scenario, _ style: Scenario.Style, at server: URL, _ configuration: URLSessionConfiguration
  ) async -> Transcript {
    let directory = try? TemporaryDirectory()
    let delegate = HostDelegate(scenario)
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    let request = scenario.request(server)
    let end = delegate.end
    let task: URLSessionTask
    let completion: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { body, response, error in
      delegate.note { $0.body = body ?? Data() }
      delegate.finish(response, error)
    }
    switch (scenario.upload, style) {
    case (.none, _) where scenario.isDownload:
      task =
        style == .delegate
        ? session.downloadTask(with: request)
        : session.downloadTask(with: request) { file, response, error in
          let body = file.flatMap { try? Data(contentsOf: $0) }
          completion(body, response, error)
        }
    case (.none, .delegate): task = session.dataTask(with: request)
    case (.none, .completion): task = session.dataTask(with: request, completionHandler: completion)
    case (.data(let data), .delegate): task = session.uploadTask(with: request, from: data)
    case (.data(let data), .completion):
      task = session.uploadTask(with: request, from: data, completionHandler: completion)
    case (.file(let data), _):
      let file = directory?.file("upload") ?? URL(fileURLWithPath: "/nowhere")
      try? data.write(to: file)
      task =
        style == .delegate
        ? session.uploadTask(with: request, fromFile: file)
        : session.uploadTask(with: request, fromFile: file, completionHandler: completion)
    case (.onDemand, _): task = session.uploadTask(withStreamedRequest: request)
    }
    task.resume()
    if scenario.cancel == .atOnce { task.cancel() }
    // A request that never ends is part of the comparison, too.
    let watch = Task {
      try? await Task.sleep(nanoseconds: 20_000_000_000)
      if !Task.isCancelled { delegate.hang() }
    }
    let transcript = await end.value
    watch.cancel()
    session.finishTasksAndInvalidate()
    withExtendedLifetime(directory) {}
    return transcript
  }
}

final class HostDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
  // Unchecked for the superclass; what changes is behind a lock.
  private let scenario: Scenario
  private let transcript = Locked(Transcript())
  private let finished: AsyncStream<Transcript>.Continuation
  let end: Task<Transcript, Never>

  init(_ scenario: Scenario) {
    self.scenario = scenario
    let (stream, continuation) = AsyncStream<Transcript>.makeStream()
    finished = continuation
    end = Task { await stream.first { _ in true } ?? Transcript() }
  }

  func note(_ body: (inout Transcript) -> Void) { transcript.withLock { body(&$0) } }

  /// Once for a run of the same event: how data is cut into pieces is no one's promise.
  private func event(_ name: String) { note { if $0.events.last != name { $0.events.append(name) } } }

  func finish(_ response: URLResponse?, _ error: (any Error)?) {
    note { $0.ended(response, error) }
    finished.yield(transcript.withLock { $0 })
    finished.finish()
  }

  func hang() {
    event("hangs")
    finished.yield(transcript.withLock { $0 })
    finished.finish()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    event("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    if scenario.cancel == .atResponse { dataTask.cancel() }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    event("data")
    if scenario.cancel == .atData {
      dataTask.cancel()
    } else {
      note { $0.body += data }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    note { transcript in
      if transcript.events.last?.hasPrefix("sent ") == true { transcript.events.removeLast() }
      transcript.events.append("sent \(totalBytesSent) of \(totalBytesExpectedToSend)")
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) {
    event("stream asked for")
    guard case .onDemand(let data) = scenario.upload else { return completionHandler(nil) }
    completionHandler(InputStream(data: data))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    event("redirect \(response.statusCode) to \(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")")
    // On Linux an answer after that stops the process.
    if scenario.cancel == .atRedirect { return task.cancel() }
    switch scenario.redirects {
    case .follow: completionHandler(request)
    case .refuse: completionHandler(nil)
    case .changeHeader:
      var request = request
      request.setValue("yes", forHTTPHeaderField: "X-Redirected")
      completionHandler(request)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let space = challenge.protectionSpace
    event("challenge \(space.authenticationMethod) \(space.realm ?? "") \(challenge.previousFailureCount)")
    guard let (user, password) = scenario.credential, challenge.previousFailureCount < 2 else {
      return completionHandler(.cancelAuthenticationChallenge, nil)
    }
    completionHandler(.useCredential, URLCredential(user: user, password: password, persistence: .none))
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    event("file")
    note { $0.body = (try? Data(contentsOf: location)) ?? Data() }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    event("complete")
    finish(task.response, error)
  }
}
