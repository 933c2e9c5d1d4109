import AutoMobileHTTP
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Telemetry wants to know of requests.
extension AutoMobileNetwork: NetworkObserver {
  package func interest(in request: URLRequest) -> CaptureInterest? {
    let settings = settings
    let url = request.url
    guard isRecording, settings.sampleRate > 0 else { return nil }
    let parts = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    guard settings.accepts(host: parts?.host, path: parts?.percentEncodedPath) else { return nil }
    return CaptureInterest(bodyLimit: settings.bodyLimit(of: url, isDebugBuild: isDebugBuild))
  }

  package func exchangeBegan(_ exchange: HTTPExchange) { begin(exchange) }

  package func exchangeEnded(_ exchange: HTTPExchange) {
    // These were recorded when they were told.
    guard exchange.source != Self.manualSource, exchange.source != Self.webSocketSource else { return }
    record(exchange)
    end(exchange.id)
  }

  package func exchangeLost(_ exchange: HTTPExchange) {
    guard exchange.source != Self.manualSource, exchange.source != Self.webSocketSource else { return }
    lose(exchange)
    end(exchange.id)
  }
}
