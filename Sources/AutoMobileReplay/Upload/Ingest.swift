import AutoMobileRecorder
import Foundation

/// The collector's replay routes.
struct Ingest: Sendable {
  let base: URL
  let transport: any RequestTransport
  let credentials: CredentialSource
  let breaker: CircuitBreaker

  /// Large parts on slow networks take their time.
  static let putTimeouts = HTTPTimeouts(silence: 20, whole: 300)
  static let timeouts = HTTPTimeouts(silence: 15, whole: 30)

  /// One try of one request, with the credential; one that is refused as such is asked for again, once.
  func post(_ path: String, _ body: [String: Any]) async -> HTTPAnswer {
    guard let url = URL(string: path, relativeTo: base)?.absoluteURL,
      let json = try? JSONSerialization.data(withJSONObject: body, options: [.sortedKeys, .withoutEscapingSlashes])
    else { return .failed("this is not a request: \(path)") }
    var request = HTTPRequest(url: url, headers: ["Content-Type": "application/json"], body: json)
    request.timeouts = Self.timeouts
    return await authorized(request)
  }

  func put(_ content: Data, to text: String) async -> HTTPAnswer {
    guard let url = URL(string: text, relativeTo: base)?.absoluteURL, ["http", "https"].contains(url.scheme ?? "")
    else { return .failed("this is not a place to upload to: \(text.prefix(200))") }
    var request = HTTPRequest(method: "PUT", url: url, headers: ["Content-Type": "application/gzip"], body: content)
    request.timeouts = Self.putTimeouts
    // Somebody else's store has its authority in the URL, and gets no token of ours.
    return await isCollector(url) ? authorized(request) : send(request)
  }

  private func authorized(_ request: HTTPRequest) async -> HTTPAnswer {
    var request = request
    for attempt in 0..<2 {
      switch await credentials.token() {
      case .failure(let failure): return HTTPAnswer(status: failure.status, failure: failure.reason)
      case .success(let token):
        request.headers["Authorization"] = "Bearer \(token)"
        let answer = await send(request)
        guard answer.status == 401 else { return answer }
        await credentials.forget(token)
        if attempt == 1 { return answer }
      }
    }
    return .failed("not authorized")
  }

  private func send(_ request: HTTPRequest) async -> HTTPAnswer {
    guard await breaker.allows() else { return .failed("the collector was not there a moment ago") }
    let answer = await transport.send(request)
    // Somebody else's store speaks for itself, not for the collector; it is waited for where its answer is read.
    let retryAfter = isCollector(request.url) ? answer.retryAfter(now: Clocks.millisecondsSince1970()) : nil
    await breaker.note(answer.status, retryAfter: retryAfter)
    return answer
  }

  private func isCollector(_ url: URL) -> Bool {
    url.host == base.host && url.port == base.port && url.scheme == base.scheme
  }
}

extension RequestTransport {
  /// The answer, when it is there.
  func send(_ request: HTTPRequest) async -> HTTPAnswer {
    await withCheckedContinuation { continuation in send(request) { continuation.resume(returning: $0) } }
  }
}

extension HTTPAnswer {
  /// The body as a JSON object; empty when it is none.
  var json: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
}
