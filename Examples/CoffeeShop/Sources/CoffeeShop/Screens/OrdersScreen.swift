import SwiftUI

/// What was bought, from the database.
struct OrdersScreen: View {
  let shop: Shop

  var body: some View {
    List {
      ForEach(shop.orders) { order in
        NavigationLink(value: Route.receipt(order)) { Text("\(order.id), \(order.totalText)") }
      }
      if shop.orders.isEmpty { Text("No orders yet").foregroundColor(.secondary) }
    }
    .navigationTitle("Orders")
  }
}
