import SwiftUI
import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// What an app chooses for whole kinds and for classes.
@MainActor @Suite(.serialized) struct `Kinds and classes of views` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  struct Outcome: Equatable {
    var pixels: Bool
    var words: Bool
  }

  private func record(_ masking: ReplayMasking, _ make: () -> UIView) throws -> Outcome {
    var settings = CaptureSettings()
    settings.masking = masking
    let screen = RecordedScreen(settings)
    defer { screen.end() }
    screen.window.addSubview(make())
    screen.record()
    #expect(screen.frames.count == 1)
    return Outcome(pixels: try screen.secretPixels() > 20, words: screen.textIsRecorded)
  }

  @Test func `what nobody knows is looked at by what is in it`() throws {
    // What holds others is none of those: they are looked at one by one.
    let box = try record(ReplayMasking(maskUnknownViews: true)) {
      let box = _UIFancyNewContainer(frame: place)
      box.addSubview(Secret.label(CGRect(origin: .zero, size: place.size)))
      return box
    }
    #expect(box.pixels && box.words)
  }

  @Test func `every text, in one word`() throws {
    let view: () -> UIView = {
      let box = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
      box.addSubview(Secret.label(place))
      let button = UIButton(frame: CGRect(x: 40, y: 400, width: 200, height: 60))
      button.setTitle(Secret.text, for: .normal)
      box.addSubview(button)
      let cell = UITableViewCell(frame: CGRect(x: 0, y: 500, width: 390, height: 60))
      cell.contentView.addSubview(Secret.label(CGRect(x: 0, y: 0, width: 200, height: 40)))
      box.addSubview(cell)
      return box
    }
    #expect(try record(ReplayMasking(), view) == Outcome(pixels: true, words: true))
    #expect(try record(ReplayMasking(maskAllText: true), view) == Outcome(pixels: false, words: false))
    var settings = CaptureSettings()
    settings.mode = .wireframes
    settings.masksTextInput = false
    settings.masking.maskAllText = true
    let screen = RecordedScreen(settings)
    defer { screen.end() }
    screen.window.addSubview(view())
    screen.window.addSubview(Secret.field(CGRect(x: 40, y: 700, width: 200, height: 60)))
    screen.record()
    #expect(screen.lines.count == 1 && !screen.textIsRecorded)
    // Taps say no more than pictures do.
    let cell = UITableViewCell(frame: CGRect(x: 0, y: 0, width: 390, height: 60))
    cell.contentView.addSubview(Secret.label(CGRect(x: 0, y: 0, width: 100, height: 40)))
    cell.accessibilityLabel = Secret.text
    #expect(TapTarget(cell).text == nil && TapTarget(cell).accessibilityLabel == nil)
  }

  @Test func `every text of SwiftUI`() throws {
    for (masking, isSeen) in [(ReplayMasking(), true), (ReplayMasking(maskAllText: true), false)] {
      var settings = CaptureSettings()
      settings.masking = masking
      let recorded = RecordedScreen(settings)
      defer { recorded.end() }
      let screen = SimulatedScreen(VStack { Text(Secret.text) }, in: recorded.window)
      screen.simulateAppearance()
      Secret.colour(recorded.window)
      recorded.record()
      #expect(recorded.textIsRecorded == isSeen)
      #expect(try (recorded.secretPixels() > 20) == isSeen)
      #expect(try (recorded.maskedPixels() > 20) != isSeen)
    }
  }

  // MARK: Lists of classes

  @Test func `classes that the app names`() throws {
    var masking = ReplayMasking()
    masking.mask(classes: [SecretLabel.self])
    #expect(try record(masking) { SecretLabel.make(SecretLabel.self, place) } == Outcome(pixels: false, words: false))
    #expect(
      try record(masking) { SecretLabel.make(SecretestLabel.self, place) } == Outcome(pixels: false, words: false))
    #expect(try record(masking) { Secret.label(place) } == Outcome(pixels: true, words: true))
    masking.unmask(classes: [SecretestLabel.self])
    #expect(try record(masking) { SecretLabel.make(SecretestLabel.self, place) }.pixels, "the nearer one")
    masking.mask(classesNamed: ["SecretestLabel"])
    #expect(try !record(masking) { SecretLabel.make(SecretestLabel.self, place) }.pixels, "covered rather than shown")
  }

  @Test func `classes that may be seen though all texts are covered`() throws {
    var masking = ReplayMasking(maskAllText: true)
    masking.unmask(classes: [SecretLabel.self])
    masking.unmask(classesNamed: ["UITextField"])
    #expect(try record(masking) { SecretLabel.make(SecretLabel.self, place) } == Outcome(pixels: true, words: true))
    #expect(try record(masking) { Secret.field(place) }.pixels)
    #expect(try !record(masking) { Secret.field(place, isSecure: true) }.pixels, "a password stays covered")
    #expect(try !record(masking) { Secret.label(place) }.pixels)
    let inside = try record(masking) {
      let box = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
      Replay.mask(box)
      box.addSubview(SecretLabel.make(SecretLabel.self, place))
      return box
    }
    #expect(inside == Outcome(pixels: false, words: false))
  }

  @Test func `one view decides before its class`() throws {
    var masking = ReplayMasking()
    masking.mask(classes: [SecretLabel.self])
    let shown = try record(masking) {
      let label = SecretLabel.make(SecretLabel.self, place)
      Replay.unmask(label)
      return label
    }
    #expect(shown.pixels)
  }
}

class SecretLabel: UILabel {
  static func make<Label: SecretLabel>(_ type: Label.Type, _ frame: CGRect) -> Label {
    let label = type.init(frame: frame)
    label.text = Secret.text
    label.textColor = Secret.colour
    return label
  }
  required override init(frame: CGRect) { super.init(frame: frame) }
  required init?(coder: NSCoder) { super.init(coder: coder) }
}
final class SecretestLabel: SecretLabel {}
