import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Exchanges between two loads: the app's session was told of a redirect, and has not begun to load its target. So that
/// all hops stand in one exchange.
final class RedirectsUnderWay: Sendable {
  static let shared = RedirectsUnderWay()
  private static let key = "dev.jasonpearson.automobile.sdk.exchange"
  /// When the app's session has not begun by then, the app did not want the redirect, which then was the answer.
  static let patience = DispatchTimeInterval.seconds(2)

  private struct Waiting {
    var recorder: ExchangeRecorder
    var response: HTTPURLResponse
    var target: URL?
  }
  private let waiting = Locked<[String: Waiting]>([:])

  /// The request to give to the app's session: it names the exchange.
  ///
  /// - Parameter lane: where the recorder is told, should nobody claim it.
  func add(
    _ recorder: ExchangeRecorder, by response: HTTPURLResponse, to request: URLRequest, on lane: DispatchQueue,
    patience: DispatchTimeInterval = patience
  ) -> URLRequest {
    let name = UUID().uuidString
    waiting.withLock { $0[name] = Waiting(recorder: recorder, response: response, target: request.url) }
    lane.asyncAfter(deadline: .now() + patience) { [self] in
      waiting.withLock { $0.removeValue(forKey: name) }?.recorder.ended(nil)
    }
    return InterceptionMark.change(request) { URLProtocol.setProperty(name, forKey: Self.key, in: $0) }
  }

  /// The recorder of the exchange that this request goes on with.
  func claim(_ request: URLRequest) -> ExchangeRecorder? {
    guard let name = name(of: request), let claimed = waiting.withLock({ $0.removeValue(forKey: name) }) else {
      return nil
    }
    claimed.recorder.redirected(by: claimed.response, to: request)
    return claimed.recorder
  }

  private func name(of request: URLRequest) -> String? {
    #if canImport(FoundationNetworking)
    // A request loses its properties there. Only tests come this way: on Linux no load is handed over.
    return waiting.withLock { $0.first { $0.value.target == request.url }?.key }
    #else
    return URLProtocol.property(forKey: Self.key, in: request) as? String
    #endif
  }
}
