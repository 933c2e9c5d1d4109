import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// The table in *Masking*: each row has a case, which is drawn and recorded under each choice.
@MainActor @Suite(.serialized) struct `The table of masking` {
  private struct Outcome {
    var isSeen: Bool
    var covered: Int
    var words: Bool
    /// Whether the test would see it without any cover.
    var isDrawn: Bool
  }

  private static let choices = [
    ReplayMasking(), ReplayMasking(maskAllText: true), ReplayMasking(maskAllImages: true),
    ReplayMasking(maskUnknownViews: true),
  ]

  private func record(_ masking: ReplayMasking, _ show: (RecordedScreen) -> Void) throws -> Outcome {
    var settings = CaptureSettings()
    settings.masking = masking
    let screen = RecordedScreen(settings)
    defer { screen.end() }
    show(screen)
    screen.record()
    #expect(screen.frames.count == 1)
    return Outcome(
      isSeen: try screen.secretPixels() > 20, covered: try screen.maskedPixels(), words: screen.textIsRecorded,
      isDrawn: screen.drawnPixels(MaskingRules(settings)) > 20)
  }

  private func cases(of row: MaskingTable.Row) -> [KindCase] { KindCase.all.filter { row.kind.hasPrefix($0.row) } }

  /// Nothing of alerts is in a window of the app's. Of glass it depends on what is beside it: `GlassTests`.
  private static let elsewhere = ["system alerts", "Liquid Glass"]

  @Test func `each row has a case, and so has each name in it`() {
    #expect(MaskingTable.page.count > 25)
    for row in MaskingTable.page where !Self.elsewhere.contains(where: row.kind.hasPrefix) {
      let names = cases(of: row).map(\.name)
      #expect(!names.isEmpty, "\(row.kind)")
      for name in row.names { #expect(names.contains(name), "\(name), in “\(row.kind)”") }
    }
    for example in KindCase.all {
      let rows = MaskingTable.page.filter { $0.kind.hasPrefix(example.row) }
      #expect(rows.count == 1, "\(example.row)")
      #expect(rows.first?.kind.contains(example.name) == true, "\(example.name), in “\(example.row)”")
    }
  }

  @Test(arguments: MaskingTable.page)
  func `what it says is what a replay shows`(row: MaskingTable.Row) throws {
    for example in cases(of: row) {
      if let show = example.show {
        try expect(row, example, show)
      } else if let showAround = example.showAround {
        // As what is in it: each such kind has a row of its own.
        for (inner, make) in Self.inner {
          let other = try #require(MaskingTable.page.first { $0.kind.hasPrefix(inner) })
          try expect(other, example) { showAround($0, make()) }
        }
      }
    }
  }

  private static let inner: [(String, @MainActor () -> UIView)] = [
    ("`UITextField`", { Secret.field(KindCase.place) }), ("`UILabel`", { Secret.label(KindCase.place) }),
    ("`UIImageView`", { Secret.image(KindCase.place) }),
  ]

  private func expect(_ row: MaskingTable.Row, _ example: KindCase, _ show: (RecordedScreen) -> Void) throws {
    defer { SimulatedKeyboard.simulateHide(from: .zero) }
    let comment: Comment = "\(example.name), in “\(example.row)”"
    var outcomes: [Outcome] = []
    for var choice in Self.choices {
      example.choice(&choice)
      outcomes.append(try record(choice, show))
    }
    guard let covered = row.isCovered else {
      // It is shown, or nowhere.
      return #expect(outcomes[0].covered == 0, comment)
    }
    let isCovered = [covered.byDefault, covered.texts, covered.images, covered.unknown]
    for (outcome, isCovered) in zip(outcomes, isCovered) {
      if isCovered { #expect(!outcome.isSeen && !outcome.words, comment) }
      if row.covered.contains("not drawn") {
        #expect(!outcome.isDrawn, comment)
      } else {
        #expect(outcome.isDrawn, comment)
        if isCovered { #expect(outcome.covered > 20, comment) }
      }
    }
    #expect(outcomes[0].isSeen == !covered.byDefault, comment)
    // What nobody knows may be covered for another reason as well.
    guard !covered.unknown else { return }
    for index in 1...2 { #expect(outcomes[index].isSeen == !isCovered[index], comment) }
  }

  @Test func `what is always covered is so where the app shows everything`() throws {
    let rows = MaskingTable.page.filter { $0.covered == "● always" }
    #expect(rows.count == 1)
    for example in rows.flatMap(cases) {
      let outcome = try record(ReplayMasking()) { screen in
        Replay.unmask(screen.window)
        example.show?(screen)
        screen.window.subviews.forEach(Replay.unmask)
      }
      #expect(outcome.isDrawn && !outcome.isSeen && outcome.covered > 20, "\(example.name)")
    }
  }
}
