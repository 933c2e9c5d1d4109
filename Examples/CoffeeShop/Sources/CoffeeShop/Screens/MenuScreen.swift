import AutoMobileSDK
import SwiftUI

/// What there is to drink.
struct MenuScreen: View {
  let shop: Shop

  var body: some View {
    List {
      Section("Harbour 12") {
        ForEach(shop.menu) { drink in
          NavigationLink(value: Route.drink(drink)) { DrinkRow(drink: drink) }
        }
      }
      Section("More") {
        NavigationLink("Orders", value: Route.orders)
        NavigationLink("Account", value: Route.account)
        NavigationLink("Settings", value: Route.settings)
        NavigationLink("Notifications", value: Route.notifications)
        NavigationLink("Storage", value: Route.storage)
        NavigationLink("Trouble", value: Route.trouble)
      }
      ProblemText(problem: shop.problem)
    }
    .navigationTitle("Menu")
    .toolbar { NavigationLink("Cart (\(shop.cart.count))", value: Route.cart) }
    .task { await shop.loadMenu() }
    .trackViewBody(id: "menu")
  }
}

private struct DrinkRow: View {
  let drink: Drink

  var body: some View {
    HStack {
      Text(drink.title)
      Spacer()
      Text(drink.priceText).foregroundColor(.secondary)
    }
    .trackViewBody(id: "menu row", viewName: "DrinkRow")
  }
}

/// What went wrong, when something did.
struct ProblemText: View {
  let problem: String?

  var body: some View {
    if let problem { Text(problem).foregroundColor(.red) }
  }
}
