import Foundation
import SwiftUI
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

extension SharedSdkTests {
  /// A15: `.trackNavigationPath(…)` on a stack that people walk through.
  @MainActor @Suite(.serialized) struct TrackNavigationPathTests {
    private enum Route: Hashable {
      case product(Int)
      case cart
    }

    private struct ShopView: View {
      @State private var path: [Route] = []
      let isTrackedTwice: Bool

      var body: some View {
        NavigationStack(path: $path) {
          VStack {
            Text("Menu")
            NavigationLink("Flat white", value: Route.product(7))
          }
          .modifier(TrackedScreen(name: isTrackedTwice ? "menu" : nil))
          .navigationDestination(for: Route.self) { route in
            switch route {
            case .product(let id):
              VStack {
                Text("Product \(id)")
                NavigationLink("Cart", value: Route.cart)
                Button("Another") { path = [.product(8)] }
              }
              .modifier(TrackedScreen(name: isTrackedTwice ? "product" : nil))
            case .cart:
              Button("Home") { path = [] }.modifier(TrackedScreen(name: isTrackedTwice ? "cart" : nil))
            }
          }
        }
        .trackNavigationPath(path, root: "menu") { route in
          if case .product = route { "product" } else { "cart" }
        } arguments: { route in
          if case .product(let id) = route { ["id": "\(id)"] } else { [:] }
        }
      }
    }

    private struct TrackedScreen: ViewModifier {
      let name: String?

      func body(content: Content) -> some View {
        if let name { content.trackNavigation(destination: name) } else { content }
      }
    }

    @Test(arguments: [false, true])
    func `each screen that comes on top is reported once, also when it reports itself`(isTrackedTwice: Bool)
      async throws
    {
      try await withSharedSdk { sdk in
        let screen = SimulatedScreen(ShopView(isTrackedTwice: isTrackedTwice))
        screen.simulateAppearance()
        try screen.simulateTap("Flat white")
        #expect(screen.texts == ["Product 7", "Cart", "Another"])
        try screen.simulateTap("Cart")
        try screen.simulateBack()
        #expect(screen.texts.first == "Product 7")
        try screen.simulateTap("Another")
        try screen.simulateTap("Cart")
        try screen.simulateTap("Home")
        #expect(screen.texts == ["Menu", "Flat white"])

        let events = try sdk.recorded().compactMap { $0 as? SdkNavigationEvent }
        #expect(
          events.map { $0.destination + ($0.arguments["id"] ?? "") }
            == ["menu", "product7", "cart", "product7", "product8", "cart", "menu"])
        #expect(events.allSatisfy { $0.source == .swiftUINavigation })
        if !isTrackedTwice {
          #expect(
            events.map { $0.metadata["change"] } == [nil, "push", "push", "pop", "replace", "push", "pop_to_root"])
          #expect(events.map { $0.metadata["depth"] } == ["0", "1", "2", "1", "1", "2", "0"])
        }
      }
    }
  }
}
