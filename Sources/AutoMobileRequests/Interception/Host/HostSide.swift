import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The app's session, as a load sees it: it is told what arrives, and asked what only the app may decide.
///
/// Everything is passed on in the order of the calls, and nothing after ``stop()``.
protocol HostSide: AnyObject, Sendable {
  /// The app's session wants the body in one piece.
  var wantsWholeBody: Bool { get }

  /// Calls `body` where the client may be called.
  func perform(_ body: @escaping @Sendable (URLProtocol, any URLProtocolClient) -> Void)

  /// Hands on some of the body; may wait a moment when the app is slow.
  func deliver(_ data: Data)

  /// Asks where a redirect shall lead.
  func decide(
    on response: HTTPURLResponse, redirectingTo request: URLRequest,
    answer: @escaping @Sendable (RedirectDecision) -> Void)

  /// Asks who the app is, or whether it trusts the server.
  func decide(
    on challenge: URLAuthenticationChallenge,
    answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// Tells of an upload's progress, where there is a way.
  func didSend(_ bytes: Int64, total: Int64, expected: Int64)

  /// The stream of an upload whose body the app gives on demand.
  func bodyStream(_ answer: @escaping @Sendable (InputStream?) -> Void)

  /// From now on nothing is passed on.
  func stop()
}

enum RedirectDecision {
  /// The load goes on with this request; nil: the redirect itself is the answer.
  case follow(URLRequest?)
  /// The app's session begins a new load, if the app wants the redirect.
  case handOver(URLRequest)
}
