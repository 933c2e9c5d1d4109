import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Act {
  /// What Foundation calls, called by somebody else, and out of order. No request is sent: nobody listens at these places.
  static let interception: [Act] = [
    Act(
      "AutoMobileURLProtocol.canInit(with:)", "AutoMobileURLProtocol.canInit(with:)",
      "AutoMobileURLProtocol.canonicalRequest(for:)", "AutoMobileURLProtocol.requestIsCacheEquivalent(_:to:)", weight: 4
    ) { random, _ in
      let request = request(&random)
      _ = AutoMobileURLProtocol.canInit(with: request)
      _ = AutoMobileURLProtocol.canInit(with: random.one(of: tasks))
      _ = AutoMobileURLProtocol.canonicalRequest(for: request)
      _ = AutoMobileURLProtocol.requestIsCacheEquivalent(request, to: request)
    },
    Act("AutoMobileURLProtocol.startLoading()", "AutoMobileURLProtocol.stopLoading()", weight: 2) { random, _ in
      let made = AutoMobileURLProtocol(request: request(&random), cachedResponse: nil, client: nil)
      for _ in 0..<random.below(4) { random.bool() ? made.startLoading() : made.stopLoading() }
    },
    Act(
      "AutoMobileSessionDelegate.init(forwardingTo:)",
      "AutoMobileSessionDelegate.urlSession(_:didBecomeInvalidWithError:)",
      "AutoMobileSessionDelegate.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)",
      "AutoMobileSessionDelegate.urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)",
      "AutoMobileSessionDelegate.urlSession(_:task:didCompleteWithError:)",
      "AutoMobileSessionDelegate.urlSession(_:task:didReceive:completionHandler:)",
      "AutoMobileSessionDelegate.urlSession(_:task:needNewBodyStream:)",
      "AutoMobileSessionDelegate.urlSession(_:dataTask:didReceive:completionHandler:)",
      "AutoMobileSessionDelegate.urlSession(_:dataTask:didReceive:)",
      "AutoMobileSessionDelegate.urlSession(_:downloadTask:didFinishDownloadingTo:)",
      "AutoMobileSessionDelegate.urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)",
      weight: 2
    ) { random, _ in tell(AutoMobileSessionDelegate(forwardingTo: random.bool() ? HostDelegate() : nil), &random) },
  ]

  private static func tell(_ delegate: AutoMobileSessionDelegate, _ random: inout Hostile) {
    let request = request(&random)
    let task = random.one(of: tasks)
    let count = random.int64()
    delegate.urlSession(
      session, task: task, didSendBodyData: count, totalBytesSent: count, totalBytesExpectedToSend: count)
    if let url = request.url,
      let response = HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: nil)
    {
      delegate.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: { _ in })
    }
    #if canImport(FoundationNetworking)
    let response = URLResponse(
      url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: random.int(), textEncodingName: nil)
    let challenge = URLAuthenticationChallenge(
      protectionSpace: URLProtectionSpace(
        host: random.string(), port: random.int(), protocol: nil, realm: nil, authenticationMethod: random.string()),
      proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil, sender: Sender())
    delegate.urlSession(session, dataTask: task, didReceive: response, completionHandler: { _ in })
    delegate.urlSession(session, dataTask: task, didReceive: Data(random.string().utf8))
    delegate.urlSession(session, task: task, needNewBodyStream: { _ in })
    delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: { _, _ in })
    delegate.urlSession(session, downloadTask: download, didFinishDownloadingTo: URL(fileURLWithPath: "/nowhere"))
    delegate.urlSession(
      session, downloadTask: download, didWriteData: count, totalBytesWritten: count, totalBytesExpectedToWrite: count)
    delegate.urlSession(session, didBecomeInvalidWithError: nil)
    #endif
    delegate.urlSession(session, task: task, didCompleteWithError: random.bool() ? URLError(.timedOut) : nil)
  }

  private static let session = URLSession(configuration: .ephemeral)
  /// Never resumed, and few: a session keeps its tasks.
  private static let tasks = (0..<4).compactMap { URL(string: "http://127.0.0.1:1/\($0)") }
    .map { session.dataTask(with: $0) }
  private static let download = session.downloadTask(with: URL(fileURLWithPath: "/nowhere"))

  private static func request(_ random: inout Hostile) -> URLRequest {
    var request = URLRequest(url: URL(string: random.string()) ?? URL(fileURLWithPath: "/"))
    request.httpMethod = random.string()
    return request
  }

  private final class HostDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}
  }

  private final class Sender: NSObject, URLAuthenticationChallengeSender, Sendable {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
  }
}
