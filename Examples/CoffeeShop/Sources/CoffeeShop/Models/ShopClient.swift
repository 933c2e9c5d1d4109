import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Talks to the shop over HTTP. Nothing here knows of AutoMobile: its interception sees each request by itself.
public struct ShopClient: Sendable {
  public enum Failure: Error, Equatable {
    case status(Int)
    case noAnswer
  }

  let shop: URL
  private let session: URLSession
  /// Goes with each request: the shop's services follow a visit by it.
  private let visit = "visit-\(UInt32.random(in: .min ... .max))"

  /// - Parameter shop: where its API is; `automobile demo` says where it serves one.
  public init(shop: URL, session: URLSession = .shared) {
    self.shop = shop
    self.session = session
  }

  public func menu() async throws -> [Drink] {
    struct Menu: Decodable { let drinks: [Drink] }
    return try JSONDecoder().decode(Menu.self, from: await send("GET", "v1/menu")).drinks
  }

  public func look(at drink: Drink) async throws { _ = try await send("GET", "v1/drinks/\(drink.name)") }

  public func add(_ item: CartItem) async throws {
    _ = try await send("POST", "v1/basket/items", ["drink": item.drink.name, "milk": item.hasOatMilk ? "oat" : "none"])
  }

  public func pickupTimes() async throws -> [String] {
    struct Times: Decodable { let times: [String] }
    return try JSONDecoder().decode(Times.self, from: await send("GET", "v1/pickup-times")).times
  }

  /// - Returns: the order's number.
  public func pay() async throws -> String {
    struct Paid: Decodable { let order: String }
    return try JSONDecoder().decode(Paid.self, from: await send("POST", "v1/checkout", ["payment": "card"])).order
  }

  /// - Returns: how far it is, by an old address, from which the shop redirects.
  public func state(of order: String) async throws -> String {
    struct State: Decodable { let state: String }
    return try JSONDecoder().decode(State.self, from: await send("GET", "orders/\(order)")).state
  }

  /// By GraphQL: the operation's name is recorded with the request.
  public func points() async throws -> Int {
    struct Answer: Decodable { let data: Loyalty }
    struct Loyalty: Decodable { let loyalty: Points }
    struct Points: Decodable { let points: Int }
    let query = ["operationName": "Loyalty", "query": "query Loyalty { loyalty { points tier } }"]
    return try JSONDecoder().decode(Answer.self, from: await send("POST", "graphql", query)).data.loyalty.points
  }

  public func earnPoints(for order: String) async throws {
    _ = try await send("POST", "v1/loyalty/points", ["order": order])
  }

  /// Returns when something has sold out, or come in again. That may take as long as the shop likes.
  public func stockChanges() async throws { _ = try await send("GET", "v1/stock/changes", timeout: 120) }

  private func send(
    _ method: String, _ path: String, _ body: [String: String]? = nil, timeout: TimeInterval = 10
  ) async throws -> Data {
    var request = URLRequest(url: shop.appendingPathComponent(path), timeoutInterval: timeout)
    request.httpMethod = method
    request.setValue("Bearer \(UUID())", forHTTPHeaderField: "Authorization")
    request.setValue(visit, forHTTPHeaderField: "X-Conversation-Id")
    if let body {
      request.httpBody = try JSONEncoder().encode(body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (data, response) = try await session.answer(to: request)
    guard let response = response as? HTTPURLResponse else { throw Failure.noAnswer }
    guard (200..<300).contains(response.statusCode) else { throw Failure.status(response.statusCode) }
    return data
  }
}

extension URLSession {
  fileprivate func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
    #if canImport(FoundationNetworking)
    // On Linux, where tests run: there, cancelling a request at the wrong moment ends the process.
    try await withCheckedThrowingContinuation { continuation in
      dataTask(with: request) { data, response, error in
        if let data, let response {
          continuation.resume(returning: (data, response))
        } else {
          continuation.resume(throwing: error ?? ShopClient.Failure.noAnswer)
        }
      }.resume()
    }
    #else
    try await data(for: request)
    #endif
  }
}
