import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Talks to the coffee shop over real HTTP, and records each request with its real timing and status.
@MainActor
struct ShopClient {
  let shop: URL
  let recording: Recording

  struct Answer {
    var status: Int
    var body: [String: Any]
  }

  /// - Returns: nil when nobody answered.
  @discardableResult
  func send(_ method: String, _ path: String, body: [String: String]? = nil) async -> Answer? {
    guard let url = URL(string: path, relativeTo: shop) else { return nil }
    var request = URLRequest(url: url.absoluteURL, timeoutInterval: 10)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    if let body {
      request.httpBody = try? JSONEncoder().encode(body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let begun = DispatchTime.now().uptimeNanoseconds
    let (data, response, failure) = await Self.answer(to: request)
    let elapsed = Double(DispatchTime.now().uptimeNanoseconds - begun) / 1e6
    recording.event(
      SdkNetworkRequestEvent(
        url: url.absoluteString, method: method, requestHeaders: request.allHTTPHeaderFields,
        requestBodySize: request.httpBody?.count, statusCode: response?.statusCode,
        responseHeaders: response?.allHeaderFields.reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" },
        responseBodySize: data?.count, durationMs: (elapsed * 10).rounded() / 10, error: failure,
        host: url.host, path: url.path, contentType: response?.mimeType))
    guard let response else { return nil }
    let json = data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
    return Answer(status: response.statusCode, body: json ?? [:])
  }

  private nonisolated static func answer(to request: URLRequest) async -> (Data?, HTTPURLResponse?, String?) {
    await withCheckedContinuation { continuation in
      URLSession.shared.dataTask(with: request) { data, response, error in
        continuation.resume(returning: (data, response as? HTTPURLResponse, error?.localizedDescription))
      }.resume()
    }
  }
}
