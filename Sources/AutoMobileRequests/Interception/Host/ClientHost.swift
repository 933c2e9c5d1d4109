import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The app's session, reached by what `URLProtocolClient` offers: all that there is on Apple platforms.
// Unchecked, because a URLProtocol is not Sendable: it is only used on its own thread, by `perform`.
final class ClientHost: HostSide, @unchecked Sendable {
  private weak var urlProtocol: URLProtocol?
  private let thread: ClientThread
  private let isStopped = AtomicWord()
  private let backpressure = Backpressure()

  /// - Parameter thread: where `startLoading` was called; clients are called there, and nowhere else.
  init(_ urlProtocol: URLProtocol, thread: ClientThread) {
    self.urlProtocol = urlProtocol
    self.thread = thread
  }

  var wantsWholeBody: Bool { false }

  func perform(_ body: @escaping @Sendable (URLProtocol, any URLProtocolClient) -> Void) {
    thread.perform { [self] in
      guard isStopped.value == 0, let urlProtocol, let client = urlProtocol.client else { return }
      body(urlProtocol, client)
    }
  }

  /// The loading system reads on once this returns.
  func deliver(_ data: Data) {
    backpressure.wait()
    backpressure.began()
    thread.perform { [self] in
      defer { backpressure.ended() }
      guard isStopped.value == 0, let urlProtocol, let client = urlProtocol.client else { return }
      client.urlProtocol(urlProtocol, didLoad: data)
    }
  }

  /// The app's session asks its delegate, and begins a new load if that agrees.
  func decide(
    on response: HTTPURLResponse, redirectingTo request: URLRequest,
    answer: @escaping @Sendable (RedirectDecision) -> Void
  ) {
    answer(.handOver(request))
  }

  func decide(
    on challenge: URLAuthenticationChallenge,
    answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let relayed = URLAuthenticationChallenge(authenticationChallenge: challenge, sender: ChallengeRelay(answer))
    perform { urlProtocol, client in client.urlProtocol(urlProtocol, didReceive: relayed) }
  }

  /// `URLProtocolClient` has no word for it.
  func didSend(_ bytes: Int64, total: Int64, expected: Int64) {}

  /// Nor for this: a protocol is given the stream with the request.
  func bodyStream(_ answer: @escaping @Sendable (InputStream?) -> Void) { answer(nil) }

  func stop() { isStopped.store(1) }
}

/// Where the client of a protocol may be called.
// Unchecked, because run loops are not Sendable: the two functions that are called with one are safe from any thread.
enum ClientThread: @unchecked Sendable {
  case queue(DispatchQueue)
  #if canImport(Darwin)
  case runLoop(CFRunLoop, modes: CFArray)
  #endif

  func perform(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.async(execute: body)
    #if canImport(Darwin)
    case .runLoop(let loop, let modes):
      CFRunLoopPerformBlock(loop, modes, body)
      CFRunLoopWakeUp(loop)
    #endif
    }
  }

  #if canImport(Darwin)
  /// The thread that this is called on, in the mode in which it runs now.
  static var current: ClientThread {
    guard let loop = CFRunLoopGetCurrent() else { return .queue(.main) }
    var modes: [CFString] = [CFRunLoopMode.defaultMode.rawValue]
    if let mode = CFRunLoopCopyCurrentMode(loop)?.rawValue, !modes.contains(mode) { modes.append(mode) }
    return .runLoop(loop, modes: modes as CFArray)
  }
  #endif
}
