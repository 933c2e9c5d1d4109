import AutoMobileReplay
import AutoMobileSDK
import SwiftUI

/// The last look before it costs something.
struct CheckoutScreen: View {
  let shop: Shop
  let onPaid: (Order) -> Void

  var body: some View {
    Form {
      Section("Pick-up") {
        if shop.pickupTimes.isEmpty { ProgressView() }
        ForEach(shop.pickupTimes, id: \.self) { Text($0) }
      }
      Section("Pay with") {
        // In replays, nobody reads this.
        Text(shop.account.card).replayMasked()
      }
      Button("Pay \(shop.totalText)") { pay() }
        .disabled(shop.isBusy)
        .trackTap("pay")
      ProblemText(problem: shop.problem)
    }
    .navigationTitle("Check out")
    .task { await shop.loadPickupTimes() }
    .trackViewBody(id: "checkout")
  }

  private func pay() {
    AutoMobileSDK.shared.addBreadcrumb("paying \(shop.totalText)")
    Task {
      if let order = await shop.pay() { onPaid(order) }
    }
  }
}
