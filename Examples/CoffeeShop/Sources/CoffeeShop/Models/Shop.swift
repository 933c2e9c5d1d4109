import AutoMobileSDK
import Foundation
import Observation

/// What the screens show and do.
@MainActor @Observable public final class Shop {
  public private(set) var menu: [Drink] = []
  public private(set) var cart: [CartItem] = []
  public private(set) var pickupTimes: [String] = []
  public private(set) var orders: [Order] = []
  /// How far the order is that somebody looked at last.
  public private(set) var orderState: String?
  public private(set) var points: Int?
  /// What went wrong last, for people to read; nil when nothing did.
  public var problem: String?
  /// Requests on their way.
  private var pending = 0

  public let preferences: Preferences
  public let account: Account
  public let updates: OrderUpdates
  let client: ShopClient
  private let history: OrderHistory?
  private var lastItem = 0

  /// - Parameters:
  ///   - directory: where the history of orders is kept.
  ///   - defaults: where settings are kept.
  ///   - opening: how connections for live updates are opened.
  public init(
    client: ShopClient, directory: URL, defaults: UserDefaults = .standard, opening: OrderUpdates.Opening? = nil
  ) {
    self.client = client
    preferences = Preferences(defaults)
    account = Account()
    updates = OrderUpdates(shop: client.shop, open: opening)
    history = try? OrderHistory(directory.appendingPathComponent("orders.sqlite"))
    orders = history?.all() ?? []
  }

  public var isBusy: Bool { pending > 0 }
  public var total: Double { cart.reduce(0) { $0 + $1.drink.price } }
  public var totalText: String { Price.text(total) }

  public func loadMenu() async { await attempt("The menu did not come") { menu = try await client.menu() } }

  public func look(at drink: Drink) async {
    await attempt("\(drink.title) has no page") { try await client.look(at: drink) }
  }

  public func add(_ drink: Drink) async {
    lastItem += 1
    let item = CartItem(id: lastItem, drink: drink, hasOatMilk: preferences.likesOatMilk)
    await attempt("\(drink.title) was not added") {
      try await client.add(item)
      cart.append(item)
      AutoMobileSDK.shared.trackEvent(name: "added_to_cart", properties: ["drink": drink.name])
    }
  }

  public func loadPickupTimes() async {
    await attempt("There are no pick-up times") { pickupTimes = try await client.pickupTimes() }
  }

  /// - Returns: nil when the payment failed; `problem` says why.
  public func pay() async -> Order? {
    var paid: Order?
    await attempt("The payment failed") {
      let sdk = AutoMobileSDK.shared
      let order = try await sdk.span("checkout", attributes: ["items": .int(Int64(cart.count))]) { span in
        // The request inside of it is its child.
        let number = try await sdk.span("payment", kind: .client) { try await client.pay() }
        let order = Order(id: number, total: total, items: cart.count)
        span.setAttribute("order", .string(number))
        try sdk.span("history") { try history?.add(order) }
        return order
      }
      orders.insert(order, at: 0)
      cart = []
      paid = order
      AutoMobileSDK.shared.trackEvent(
        name: "order_placed", properties: ["order": order.id, "items": "\(order.items)", "total": "\(order.total)"])
    }
    return paid
  }

  public func loadState(of order: Order) async {
    orderState = nil
    await attempt("Nobody knows about the order") { orderState = try await client.state(of: order.id) }
  }

  public func loadPoints() async { await attempt("There are no points") { points = try await client.points() } }

  public func earnPoints(for order: Order) async {
    await attempt("No points were added") { try await client.earnPoints(for: order.id) }
  }

  /// Does it, and tells the user and AutoMobile when it fails.
  private func attempt(_ problem: String, _ work: () async throws -> Void) async {
    pending += 1
    defer { pending -= 1 }
    do {
      try await work()
      self.problem = nil
    } catch  where Task.isCancelled {
      // Somebody left the screen.
    } catch {
      self.problem = problem
      AutoMobileLog.shared.w("shop", "\(problem): \(error)")
      AutoMobileFailures.shared.recordHandledException(error, message: problem)
    }
  }
}
