/// Something on the menu.
public struct Drink: Codable, Hashable, Identifiable, Sendable {
  public let name: String
  public let title: String
  public let section: String
  public let price: Double

  public var id: String { name }
  public var priceText: String { Price.text(price) }
}

/// A drink as somebody wants it.
public struct CartItem: Hashable, Identifiable, Sendable {
  public let id: Int
  public let drink: Drink
  public let hasOatMilk: Bool

  public var title: String { hasOatMilk ? "\(drink.title), oat milk" : drink.title }
}

/// What was paid for.
public struct Order: Hashable, Identifiable, Sendable {
  public let id: String
  public let total: Double
  public let items: Int

  public var totalText: String { Price.text(total) }
}

enum Price {
  static func text(_ euros: Double) -> String {
    let cents = Int((euros * 100).rounded())
    return "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100) €"
  }
}
