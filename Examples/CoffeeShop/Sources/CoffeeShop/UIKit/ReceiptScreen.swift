import SwiftUI
import UIKit

/// The receipt among the screens of SwiftUI.
struct ReceiptScreen: View {
  let shop: Shop
  let order: Order

  var body: some View {
    VStack {
      ReceiptController(order: order) { Task { await shop.earnPoints(for: order) } }
      if let state = shop.orderState { Text("Your order is \(state)") }
      NavigationLink("Follow it live", value: Route.updates(order))
      ProblemText(problem: shop.problem)
    }
    .navigationTitle("Receipt \(order.id)")
    .task { await shop.loadState(of: order) }
  }
}

private struct ReceiptController: UIViewControllerRepresentable {
  let order: Order
  let onEarnPoints: () -> Void

  func makeUIViewController(context: Context) -> ReceiptViewController {
    ReceiptViewController(order: order, onEarnPoints: onEarnPoints)
  }

  func updateUIViewController(_ controller: ReceiptViewController, context: Context) {}
}
