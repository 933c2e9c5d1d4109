import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Talks to the coffee shop over real HTTP. The SDK sees each request by itself.
@MainActor
final class ShopClient {
  private let shop: URL
  private let automatic: AutomaticEvents
  private var sent = 0
  /// The shop's services follow a visit by this.
  private let conversation = "visit-\(UInt32.random(in: .min ... .max))"

  struct Answer {
    var status: Int
    var body: [String: Any]
  }

  init(shop: URL, automatic: AutomaticEvents) {
    self.shop = shop
    self.automatic = automatic
    let network = AutoMobileNetwork.shared
    network.setCaptureHeaders(true)
    network.setCaptureBodies(true)
    network.setTracerHeader("X-Conversation-Id")
    network.startInterception()
  }

  /// - Returns: nil when nobody answered.
  @discardableResult
  func send(_ method: String, _ path: String, body: [String: String]? = nil) async -> Answer? {
    guard let url = URL(string: path, relativeTo: shop) else { return nil }
    var request = URLRequest(url: url.absoluteURL, timeoutInterval: 10)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.setValue("Bearer \(UUID())", forHTTPHeaderField: "Authorization")
    request.setValue(conversation, forHTTPHeaderField: "X-Conversation-Id")
    if let body {
      request.httpBody = try? JSONEncoder().encode(body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (data, response) = await Self.answer(to: request)
    sent += 1
    await automatic.waitForRequests(sent)
    guard let response else { return nil }
    let json = data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
    return Answer(status: response.statusCode, body: json ?? [:])
  }

  private nonisolated static func answer(to request: URLRequest) async -> (Data?, HTTPURLResponse?) {
    await withCheckedContinuation { continuation in
      URLSession.shared.dataTask(with: request) { data, response, _ in
        continuation.resume(returning: (data, response as? HTTPURLResponse))
      }.resume()
    }
  }
}
