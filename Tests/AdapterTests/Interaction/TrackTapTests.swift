import AutoMobileReplay
import Foundation
import SwiftUI
import Testing
import UIKit

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

    private struct Pad: View {
      var body: some View {
        VStack {
          Text("Code")
          VStack {
            Button("4") {}.trackTap("key-4")
            Button("7") {}.trackTap("key-7")
          }
          .replayMasked()
        }
      }
    }

    /// - Parameter isObserved: whether the window tells of taps as well, and before.
    @Test(arguments: [false, true])
    func `a key on a masked pad has no name and no place`(isObserved: Bool) async throws {
      try await withSharedSdk { sdk in
        let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
        let screen = SimulatedScreen(Pad(), in: window)
        screen.simulateAppearance()
        let mark = try #require(screen.views.first)
        sdk.setEnabled(true, for: .interaction)
        if isObserved { await turn() }
        try screen.simulateTap("7")
        let events = try taps(sdk)
        #expect(events.map(\.interactionType) == ["tap"])
        let tap = try #require(events.first)
        #expect(tap.properties["accessibilityIdentifier"] == nil)
        let middle = ScreenPoint(mark.convert(CGPoint(x: mark.bounds.midX, y: mark.bounds.midY), to: nil))
        #expect(tap.properties["x"] == middle.x.oneDecimal && tap.properties["y"] == middle.y.oneDecimal)
      }
    }
  }
}
