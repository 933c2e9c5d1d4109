import AutoMobileRecorder
import AutoMobileSupport

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// The app's session, reached directly: on Linux `URLProtocolClient` stops the process at a redirect, and keeps only the
/// last piece of a body for completion handlers. So the delegate is asked here, on its queue, as Foundation's own loader
/// does.
///
/// The client touches the books of the app's session, which have no lock: it may be called on that session's work queue
/// only. The work queues of all sessions have one serial target, so the lane, which is a forwarding session's work queue,
/// is as good; a test watches that.
// Unchecked, because Foundation's classes are not Sendable: the protocol is used on the task's work queue only, the
// delegate on its own.
final class ReachedHost: HostSide, @unchecked Sendable {
  private weak var urlProtocol: URLProtocol?
  private let task: URLSessionTask
  private let session: URLSession
  private let isStopped = AtomicWord()
  let wantsWholeBody: Bool
  private let tellsDelegate: Bool

  /// Call it on the task's work queue, where `startLoading` is called.
  init(_ urlProtocol: URLProtocol, _ reached: ReachedTask) {
    self.urlProtocol = urlProtocol
    task = reached.task
    session = reached.session
    wantsWholeBody = reached.wantsWholeBody
    tellsDelegate = reached.tellsDelegate
  }

  func perform(_ body: @escaping @Sendable (URLProtocol, any URLProtocolClient) -> Void) {
    guard isStopped.value == 0, let urlProtocol, let client = urlProtocol.client else { return }
    body(urlProtocol, client)
  }

  func deliver(_ data: Data) {
    perform { urlProtocol, client in client.urlProtocol(urlProtocol, didLoad: data) }
  }

  private func ask(_ body: @escaping @Sendable (any URLSessionTaskDelegate, URLSession, URLSessionTask) -> Void) {
    perform { [session, task] _, _ in
      guard let delegate = task.delegate else { return }
      session.delegateQueue.addOperation { ErrorBarrier.run(.urlSessionDelegate) { body(delegate, session, task) } }
    }
  }

  func decide(
    on response: HTTPURLResponse, redirectingTo request: URLRequest,
    answer: @escaping @Sendable (RedirectDecision) -> Void
  ) {
    guard task.delegate != nil else { return answer(.follow(request)) }
    ask { delegate, session, task in
      delegate.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request) {
        answer(.follow($0))
      }
    }
  }

  func decide(
    on challenge: URLAuthenticationChallenge,
    answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard task.delegate != nil else { return answer(.performDefaultHandling, nil) }
    ask { delegate, session, task in
      delegate.urlSession(session, task: task, didReceive: challenge) { answer($0, $1) }
    }
  }

  func didSend(_ bytes: Int64, total: Int64, expected: Int64) {
    guard tellsDelegate else { return }
    ask { delegate, session, task in
      delegate.urlSession(
        session, task: task, didSendBodyData: bytes, totalBytesSent: total, totalBytesExpectedToSend: expected)
    }
  }

  func bodyStream(_ answer: @escaping @Sendable (InputStream?) -> Void) {
    perform { [session, task] _, _ in
      guard let delegate = task.delegate else { return answer(nil) }
      ErrorBarrier.run(.urlSessionDelegate) {
        delegate.urlSession(session, task: task) { answer($0) }
      }
    }
  }

  func stop() { isStopped.store(1) }
}
#endif
