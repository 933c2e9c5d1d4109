import Foundation

/// Where an address leads: `coffeeshop://drinks/flat-white`, `coffeeshop://orders/R-2041`, `coffeeshop://cart`.
///
/// The app says in its Info (*URL Types*) that such addresses are its own.
@MainActor extension Shop {
  func route(for link: URL) -> Route? {
    guard link.scheme == "coffeeshop" else { return nil }
    let name = link.lastPathComponent
    switch link.host {
    case "drinks": return menu.first { $0.name == name }.map { .drink($0) }
    case "orders": return orders.first { $0.id == name }.map { .receipt($0) } ?? .orders
    case "cart": return .cart
    default: return nil
    }
  }
}
