import Foundation
import SwiftUI
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

extension SharedSdkTests {
  /// A19: `.trackViewBody(…)` and `MeasureViewBody`, on views whose bodies are evaluated because their state changes.
  @MainActor @Suite(.serialized) struct TrackViewBodyTests {
    private struct CartView: View {
      @State private var count = 0
      @State private var note = ""

      var body: some View {
        VStack {
          Text("\(count) cups")
          Button("Add") { count += 1 }
          TextField("Note", text: $note)
          PriceView(cents: count * 420)
          FooterView()
        }
        .trackViewBody(id: "cart", viewName: "CartView")
      }
    }

    private struct PriceView: View {
      let cents: Int
      @State private var isTaxShown = false

      var body: some View {
        MeasureViewBody(id: "price") {
          Text("\(cents) cents")
          Toggle("Tax", isOn: $isTaxShown)
          if isTaxShown { Text("with tax") }
        }
      }
    }

    private struct FooterView: View {
      var body: some View { Text("Harbour 12").trackViewBody(id: "footer") }
    }

    private func counts() -> [String: Int] {
      Dictionary(ViewBodyTracker.shared.getSnapshots().map { ($0.id, $0.totalCount) }, uniquingKeysWith: { $1 })
    }

    @Test func `a body counts each time that it is evaluated, and only then`() async throws {
      try await withSharedSdk { sdk in
        let timer = FakeTimer()
        ViewBodyTracker.shared.setEnabled(true) { timer }
        let screen = SimulatedScreen(CartView())
        screen.simulateAppearance()
        #expect(counts() == ["cart": 1, "price": 1, "footer": 1])
        try screen.simulateTap("Add")
        #expect(screen.texts == ["1 cups", "Add", "420 cents", "Tax", "Harbour 12"])
        #expect(counts() == ["cart": 2, "price": 2, "footer": 1], "the footer is the same as before")
        try screen.simulateTap("Tax")
        #expect(screen.texts.contains("with tax"))
        #expect(counts() == ["cart": 2, "price": 3, "footer": 1], "only what has changed is evaluated")
        try screen.simulateTyping("no sugar", into: "Note")
        #expect(counts() == ["cart": 3, "price": 3, "footer": 1])

        timer.fire()
        let event = try #require(try sdk.recorded().compactMap { $0 as? SdkViewBodySnapshotEvent }.first)
        #expect(event.snapshots.first { $0.id == "cart" }?.viewName == "CartView")
        let price = try #require(event.snapshots.first { $0.id == "price" })
        #expect(price.totalCount == 3 && (price.averageDurationMs ?? -1) >= 0)
        #expect(event.snapshots.first { $0.id == "footer" }?.averageDurationMs == nil)
      }
    }

    @Test func `while the tracker is off, views look the same, and nothing is counted`() async throws {
      try await withSharedSdk { _ in
        let screen = SimulatedScreen(CartView())
        screen.simulateAppearance()
        try screen.simulateTap("Add")
        #expect(screen.texts == ["1 cups", "Add", "420 cents", "Tax", "Harbour 12"])
        #expect(counts().isEmpty)
      }
    }
  }
}
