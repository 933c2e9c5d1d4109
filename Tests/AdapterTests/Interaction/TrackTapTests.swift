import Foundation
import SwiftUI
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

extension SharedSdkTests {
  /// A18: `.trackTap(…)` on views that have something to do with a tap themselves.
  @MainActor @Suite(.serialized) struct TrackTapTests {
    private struct PayView: View {
      @State private var paid = 0

      var body: some View {
        VStack {
          Text("paid \(paid)")
          Button("Pay") { paid += 1 }.trackTap("pay")
          Button("Cancel") {}
        }
      }
    }

    private func taps(_ sdk: AutoMobileSDK) throws -> [SdkInteractionEvent] {
      try sdk.recorded().compactMap { $0 as? SdkInteractionEvent }
    }

    @Test func `a tap is recorded by its name, and the button does what it does`() async throws {
      try await withSharedSdk { sdk in
        let screen = SimulatedScreen(PayView())
        screen.simulateAppearance()
        try screen.simulateTap("Pay")
        #expect(screen.texts.first == "paid 1")
        #expect(try taps(sdk).isEmpty, "nobody has switched it on")
        sdk.setEnabled(true, for: .interaction)
        try screen.simulateTap("Cancel")
        try screen.simulateTap("Pay", at: CGPoint(x: 12.34, y: 700))
        #expect(screen.texts.first == "paid 2")
        let tap = try #require(try taps(sdk).first)
        #expect(try taps(sdk).count == 1)
        #expect(tap.interactionType == "tap" && tap.properties["accessibilityIdentifier"] == "pay")
        #expect(tap.properties["x"] == "12.3" && tap.properties["y"] == "700.0")
      }
    }
  }
}
