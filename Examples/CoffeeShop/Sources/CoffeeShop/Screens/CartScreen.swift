import AutoMobileSDK
import SwiftUI

/// What somebody is about to buy.
struct CartScreen: View {
  let shop: Shop

  var body: some View {
    List {
      ForEach(shop.cart) { item in
        HStack {
          Text(item.title)
          Spacer()
          Text(item.drink.priceText)
        }
      }
      if shop.cart.isEmpty {
        Text("Nothing yet").foregroundColor(.secondary)
      } else {
        NavigationLink("Check out, \(shop.totalText)", value: Route.checkout)
      }
    }
    .navigationTitle("Cart")
    .trackViewBody(id: "cart")
  }
}
