import SwiftUI

/// How an order comes along, as the shop tells.
struct UpdatesScreen: View {
  let updates: OrderUpdates
  let order: Order

  var body: some View {
    Form {
      Text(updates.text ?? "Nothing new about \(order.id)")
      Button("Follow it") { Task { await updates.follow(order.id) } }
        .disabled(updates.isConnected)
    }
    .navigationTitle("Updates")
    .onDisappear { updates.stop() }
  }
}
