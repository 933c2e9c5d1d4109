import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Begins a load as Apple's loading system does, and goes on as it does at a redirect.
///
/// As there, a protocol is never given a body as `Data`: whatever the app gave is a stream, which can be read once.
final class LoadingSystem: NSObject, URLProtocolClient, @unchecked Sendable {
  // Unchecked for the superclass: everything that changes is behind the lock.
  struct Seen {
    var events: [String] = []
    var body = Data()
    var challenge: URLAuthenticationChallenge?
  }
  let seen = Locked(Seen())
  private let queue = DispatchQueue(label: "client")
  private let followsRedirects: Bool
  private let loads = Locked<[(URLProtocol, InterceptedLoad)]>([])
  private let answer: @Sendable (URLAuthenticationChallenge) -> Void

  init(followsRedirects: Bool = true, answer: @escaping @Sendable (URLAuthenticationChallenge) -> Void = { _ in }) {
    self.followsRedirects = followsRedirects
    self.answer = answer
  }

  func load(_ request: URLRequest) {
    let request = handedOver(request)
    let urlProtocol = AutoMobileURLProtocol(request: request, cachedResponse: nil, client: self)
    let load = InterceptedLoad(
      host: ClientHost(urlProtocol, thread: .queue(queue)),
      session: ForwardingSessions.shared.session(for: .ephemeral), interception: .shared)
    loads.withLock { $0.append((urlProtocol, load)) }
    load.start(.handedOver(request))
  }

  private func handedOver(_ request: URLRequest) -> URLRequest {
    guard let body = request.httpBody else { return request }
    var request = request
    request.httpBodyStream = InputStream(data: body)
    #expect(request.httpBody == nil)
    return request
  }

  var lastLoad: InterceptedLoad? { loads.withLock { $0.last?.1 } }

  func stop() { for (_, load) in loads.withLock({ $0 }) { load.stop() } }

  private func note(_ event: String) { seen.withLock { $0.events.append(event) } }
  var isOver: Bool { seen.withLock { $0.events.last == "finished" || $0.events.last?.hasPrefix("failed") == true } }

  func urlProtocol(_ urlProtocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
    note("redirected to \(request.url?.path ?? "")")
    #expect(AutoMobileURLProtocol.canInit(with: request), "the target's load is seen again")
    lastLoad?.stop()
    if followsRedirects { load(request) }
  }

  func urlProtocol(_ urlProtocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}

  func urlProtocol(
    _ urlProtocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
  ) { note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)") }

  func urlProtocol(_ urlProtocol: URLProtocol, didLoad data: Data) { seen.withLock { $0.body += data } }
  func urlProtocolDidFinishLoading(_ urlProtocol: URLProtocol) { note("finished") }

  func urlProtocol(_ urlProtocol: URLProtocol, didFailWithError error: any Error) {
    let error = error as NSError
    // So ends a load that was redirected; the app does not hear of it.
    guard error.domain != NSCocoaErrorDomain else { return }
    note("failed \(error.domain) \(error.code)")
  }

  func urlProtocol(_ urlProtocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
    note("challenge \(challenge.protectionSpace.authenticationMethod)")
    answer(challenge)
  }

  func urlProtocol(_ urlProtocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
