import AutoMobileSDK
import Foundation
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
    .onOpenURL { open($0) }
  }

  /// The next *Application Opened* says which link it was; on the way there, the screen is recorded as any other.
  private func open(_ link: URL) {
    AutoMobileSDK.shared.openURL(link, sourceApplication: nil)
    if let route = shop.route(for: link) { path = [route] }
  }

  @ViewBuilder private func screen(of route: Route) -> some View {
    switch route {
    case .drink(let drink): DrinkScreen(shop: shop, drink: drink)
    case .cart: CartScreen(shop: shop)
    case .checkout: CheckoutScreen(shop: shop) { path = [.receipt($0)] }
    case .receipt(let order): ReceiptScreen(shop: shop, order: order)
    case .orders: OrdersScreen(shop: shop)
    case .account: AccountScreen(shop: shop)
    case .settings: SettingsScreen(preferences: shop.preferences)
    case .notifications: NotificationsScreen()
    case .storage: StorageScreen()
    case .updates(let order): UpdatesScreen(updates: shop.updates, order: order)
    case .trouble: TroubleScreen(shop: shop)
    }
  }
}
