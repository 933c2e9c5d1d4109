import AutoMobileSDK
import SwiftUI

/// The whole app: one stack of screens, each of which AutoMobile hears of by the stack's path.
public struct ShopView: View {
  @State private var path: [Route] = []
  private let shop: Shop

  public init(_ shop: Shop) { self.shop = shop }

  public var body: some View {
    NavigationStack(path: $path) {
      MenuScreen(shop: shop)
        .navigationDestination(for: Route.self) { screen(of: $0) }
    }
    .trackNavigationPath(path, root: "menu") {
      $0.screen
    } arguments: {
      $0.arguments
    }
  }

  @ViewBuilder private func screen(of route: Route) -> some View {
    switch route {
    case .drink(let drink): DrinkScreen(shop: shop, drink: drink)
    case .cart: CartScreen(shop: shop)
    case .checkout: CheckoutScreen(shop: shop) { path = [.receipt($0)] }
    case .receipt(let order): ReceiptScreen(shop: shop, order: order)
    case .orders: OrdersScreen(shop: shop)
    case .account: AccountScreen(account: shop.account)
    case .settings: SettingsScreen(preferences: shop.preferences)
    case .notifications: NotificationsScreen()
    case .trouble: TroubleScreen(shop: shop)
    }
  }
}
