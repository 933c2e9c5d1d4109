import AutoMobileSupport
import Foundation
import SwiftUI
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

extension SharedSdkTests {
  /// A15: `.trackNavigation(…)`, on a screen.
  @MainActor @Suite(.serialized) struct TrackNavigationTests {
    private struct ProductView: View {
      var body: some View {
        Text(verbatim: "Flat white")
          .trackNavigation(destination: "product", arguments: ["id": "7"], metadata: ["from": "menu"])
      }
    }

    @Test func `a view is a screen each time that it appears, and looks as before`() async throws {
      try await withSharedSdk { sdk in
        let heard = Locked<[NavigationEvent]>([])
        let listener = sdk.addNavigationListener { event in heard.withLock { $0.append(event) } }
        let screen = SimulatedScreen(ProductView())
        #expect(heard.withLock { $0.isEmpty })
        screen.simulateAppearance()
        screen.simulateAppearance()
        #expect(screen.texts == ["Flat white"])
        let events = heard.withLock { $0 }
        #expect(events.map(\.destination) == ["product", "product"])
        #expect(events.first?.arguments == ["id": "7"])
        #expect(events.first?.metadata == ["from": "menu"])
        #expect(events.first?.source == .swiftUINavigation)
        withExtendedLifetime(listener) {}
      }
    }
  }
}
