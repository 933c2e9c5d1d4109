import AutoMobileSDK
import SwiftUI

/// One drink, and how somebody wants it.
struct DrinkScreen: View {
  @Bindable var preferences: Preferences
  let shop: Shop
  let drink: Drink

  init(shop: Shop, drink: Drink) {
    self.shop = shop
    self.drink = drink
    preferences = shop.preferences
  }

  var body: some View {
    // Measured, because it is the screen that people look at longest.
    MeasureViewBody(id: "drink", viewName: "DrinkScreen") {
      Form {
        Section("\(drink.title), \(drink.priceText)") {
          Toggle("Oat milk", isOn: $preferences.likesOatMilk)
        }
        Button("Add to cart") { Task { await shop.add(drink) } }.trackTap("add to cart")
        Text("\(shop.cart.count) in your cart")
        NavigationLink("To the cart", value: Route.cart)
        ProblemText(problem: shop.problem)
      }
    }
    .navigationTitle(drink.title)
    .task { await shop.look(at: drink) }
  }
}
