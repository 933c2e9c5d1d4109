/// Where one can go.
enum Route: Hashable {
  case drink(Drink)
  case cart
  case checkout
  case receipt(Order)
  case orders
  case account
  case settings
  case notifications
  case storage
  case updates(Order)
  case trouble

  /// What the screen is called in a recording.
  var screen: String {
    switch self {
    case .drink: "drink"
    case .cart: "cart"
    case .checkout: "checkout"
    case .receipt: "receipt"
    case .orders: "orders"
    case .account: "account"
    case .settings: "settings"
    case .notifications: "notifications"
    case .storage: "storage"
    case .updates: "updates"
    case .trouble: "trouble"
    }
  }

  /// What it shows.
  var arguments: [String: String] {
    switch self {
    case .drink(let drink): ["drink": drink.name]
    case .receipt(let order), .updates(let order): ["order": order.id]
    default: [:]
    }
  }
}
