import AutoMobileSDK
import Foundation
import Observation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the shop says about an order while it is made, over a WebSocket. One line of AutoMobile: what goes over it is recorded.
@MainActor @Observable public final class OrderUpdates {
  /// Opens a connection, which does not begin before it is resumed.
  public typealias Opening = @MainActor (URL) -> AutoMobileWebSocketTask

  /// For people to read; nil: nothing has been said yet.
  public private(set) var text: String?
  public private(set) var isConnected = false
  private let shop: URL
  private let open: Opening
  private var socket: AutoMobileWebSocketTask?

  /// - Parameter shop: where its API is; the updates are below it.
  public init(shop: URL, open: Opening? = nil) {
    self.shop = shop
    self.open = open ?? { AutoMobileNetwork.shared.webSocket(URLSession.shared.webSocketTask(with: $0)) }
  }

  /// Until the connection ends.
  public func follow(_ order: String) async {
    guard socket == nil, let url = address else { return }
    let socket = open(url)
    self.socket = socket
    socket.resume()
    socket.send(.string(#"{"order":"\#(order)","state":"asked"}"#)) { _ in }
    do {
      while true {
        if case .string(let update) = try await socket.receive() { show(update) }
        isConnected = true
      }
    } catch {
      // Nobody asked for the end, or it did not even begin.
      if self.socket != nil { text = "There are no live updates" }
    }
    isConnected = false
    self.socket = nil
  }

  public func stop() {
    let socket = socket
    self.socket = nil
    socket?.cancel(with: .goingAway, reason: nil)
  }

  private var address: URL? {
    var parts = URLComponents(url: shop, resolvingAgainstBaseURL: true)
    parts?.scheme = shop.scheme == "https" ? "wss" : "ws"
    parts?.path = "/v1/updates"
    return parts?.url
  }

  private func show(_ update: String) {
    struct Update: Decodable { let order, state: String }
    guard let update = try? JSONDecoder().decode(Update.self, from: Data(update.utf8)) else { return }
    text = "\(update.order) is \(update.state)"
  }
}
