import AutoMobileSDK
import SwiftUI
import Testing
import UIKit

@testable import AutoMobileReplay

/// SwiftUI's views are masked by a view of UIKit behind them.
@MainActor @Suite struct `Masks of SwiftUI` {
  private struct Account: View {
    @State private var isHidden = true

    var body: some View {
      VStack {
        Text("SECRET 4711").replayMasked(isHidden)
        Button("Show") { isHidden = false }
      }
    }
  }

  @Test func `a view is marked behind the one that is masked, until it may be seen`() throws {
    let screen = SimulatedScreen(Account())
    screen.simulateAppearance()
    let view = try #require(screen.views.first)
    #expect(screen.views.count == 1)
    #expect(MaskMarks.shared.mark(of: view) == .mask)
    #expect(!view.isUserInteractionEnabled && !view.isHidden)
    try screen.simulateTap("Show")
    #expect(screen.views.first === view)
    #expect(MaskMarks.shared.mark(of: view) == nil)
  }
}
