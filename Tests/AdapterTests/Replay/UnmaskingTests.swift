import SwiftUI
import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// What is covered by itself is shown where the app says so, and nowhere else.
@MainActor @Suite(.serialized) struct `What is unmasked` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  /// How many pixels show the secret, and whether its text is recorded.
  private func record(
    _ settings: CaptureSettings = CaptureSettings(), show: (RecordedScreen) throws -> Void
  ) throws -> (pixels: Int, covered: Int, text: Bool) {
    let screen = RecordedScreen(settings)
    defer { screen.end() }
    try show(screen)
    screen.record()
    #expect(!screen.frames.isEmpty && !screen.lines.isEmpty)
    return (try screen.secretPixels(), try screen.maskedPixels(), screen.textIsRecorded)
  }

  // MARK: UIKit

  @Test func `a field, and fields in a view`() throws {
    let field = try record { screen in
      let field = Secret.field(place)
      Replay.unmask(field)
      screen.window.addSubview(field)
    }
    #expect(field.pixels > 20 && field.covered == 0 && field.text)
    let box = try record { screen in
      let box = UIView(frame: screen.window.bounds)
      Replay.unmask(box)
      box.addSubview(Secret.textView(place))
      screen.window.addSubview(box)
    }
    #expect(box.pixels > 20 && box.covered == 0 && box.text)
  }

  @Test func `in a view that is masked, everything stays covered`() throws {
    for mask in [{ Replay.mask($0) }, { $0.accessibilityIdentifier = "mask:card" }] as [@MainActor (UIView) -> Void] {
      let inside = try record { screen in
        let card = UIView(frame: place.insetBy(dx: -10, dy: -10))
        mask(card)
        let label = Secret.label(CGRect(x: 10, y: 10, width: 200, height: 60))
        Replay.unmask(label)
        card.addSubview(label)
        screen.window.addSubview(card)
      }
      #expect(inside.pixels == 0 && inside.covered > 100 && !inside.text)
    }
  }

  @Test func `in a view that is unmasked, passwords and what is masked stay covered`() throws {
    let secure = Secret.field(place, isSecure: true)
    let marked = Secret.label(place)
    Replay.mask(marked)
    let named = Secret.label(place)
    named.accessibilityIdentifier = "mask:iban"
    for view in [secure, marked, named] {
      let inside = try record { screen in
        let box = UIView(frame: screen.window.bounds)
        Replay.unmask(box)
        box.addSubview(view)
        screen.window.addSubview(box)
      }
      #expect(inside.pixels == 0 && inside.covered > 100 && !inside.text)
    }
    let password = try record { screen in
      Replay.unmask(secure)
      screen.window.addSubview(secure)
    }
    #expect(password.pixels == 0 && password.covered > 100 && !password.text)
  }

  // MARK: SwiftUI

  /// A screen of SwiftUI; what is in fields has the secret's colour.
  private func record(_ view: some View, change: (SimulatedScreen) throws -> Void = { _ in }) throws -> (
    pixels: Int, covered: Int, text: Bool
  ) {
    try record { recorded in
      let screen = SimulatedScreen(view, in: recorded.window)
      screen.simulateAppearance()
      try change(screen)
      colour(recorded.window)
    }
  }

  private func colour(_ view: UIView) {
    if let field = view as? UITextField, field.text == Secret.text { field.textColor = Secret.colour }
    view.subviews.forEach(colour)
  }

  private struct Field: View {
    @State var text = Secret.text
    var body: some View { TextField("Search", text: $text) }
  }

  private struct Password: View {
    @State var text = Secret.text
    var body: some View { SecureField("Password", text: $text) }
  }

  private struct Switched: View {
    @State private var isShown = true
    var body: some View {
      VStack {
        Field().replayUnmasked(isShown)
        Button("Hide") { isShown = false }
      }
    }
  }

  @Test func `a field of SwiftUI, as long as that is said`() throws {
    let plain = try record(VStack { Field() })
    #expect(plain.pixels == 0 && plain.covered > 100 && !plain.text)
    let unmasked = try record(VStack { Field().replayUnmasked() })
    #expect(unmasked.pixels > 20 && unmasked.covered == 0 && unmasked.text)
    #expect(try record(Switched()).pixels > 20)
    let hidden = try record(Switched()) { try $0.simulateTap("Hide") }
    #expect(hidden.pixels == 0 && hidden.covered > 100 && !hidden.text)
  }

  @Test func `not its neighbours, not a password, and nothing that is masked`() throws {
    let neighbour = try record(
      VStack {
        Field(text: "coffee").replayUnmasked()
        Field()
      })
    #expect(neighbour.pixels == 0 && neighbour.covered > 100 && !neighbour.text)
    let password = try record(VStack { Password().replayUnmasked() })
    #expect(password.pixels == 0 && password.covered > 100 && !password.text)
    for masked in [
      try record(VStack { Field().replayUnmasked().replayMasked() }),
      try record(VStack { Field().replayMasked().replayUnmasked() }),
      try record(VStack { VStack { Field().replayUnmasked() }.replayMasked() }),
      try record(VStack { VStack { Field().replayMasked() }.replayUnmasked() }),
    ] {
      #expect(masked.pixels == 0 && masked.covered > 100 && !masked.text)
    }
  }

  @Test func `fields in a container`() throws {
    let form = try record(
      VStack {
        VStack {
          Text("Search")
          Field()
        }
        .replayUnmasked()
      })
    #expect(form.pixels > 20 && form.covered == 0 && form.text)
  }

  // MARK: The marks

  /// Two marks and what is between, before and after them.
  private func marked(
    begin: CGRect?, end: CGRect?, field: CGRect, isAfter: Bool = false, change: (UIView) -> Void = { _ in }
  ) throws -> (pixels: Int, covered: Int, text: Bool) {
    try record { screen in
      @MainActor func mark(_ frame: CGRect?, _ mark: MaskingRules.Mark) -> UIView? {
        guard let frame else { return nil }
        let wrapping = UIView(frame: frame)
        let view = UIView(frame: wrapping.bounds)
        wrapping.addSubview(view)
        MaskMarks.shared.set(mark, for: view)
        change(view)
        return wrapping
      }
      let content = Secret.field(field)
      let order = [
        mark(begin, .unmasksFromHere), isAfter ? nil : content, mark(end, .unmasksToHere), isAfter ? content : nil,
      ]
      order.compactMap(\.self).forEach(screen.window.addSubview)
    }
  }

  @Test func `only between two marks that fit, and only in their place`() throws {
    let around = place.insetBy(dx: -5, dy: -5)
    #expect(try marked(begin: around, end: around, field: place).pixels > 20)
    for hidden in [
      try marked(begin: around, end: nil, field: place), try marked(begin: nil, end: around, field: place),
      try marked(begin: around, end: around, field: place, isAfter: true),
      try marked(begin: around, end: around.offsetBy(dx: 0, dy: 30), field: place),
      try marked(begin: around, end: around, field: place.offsetBy(dx: 0, dy: 20)),
      try marked(begin: around, end: around, field: place.insetBy(dx: -50, dy: 0)),
    ] {
      #expect(hidden.pixels == 0 && hidden.covered > 100 && !hidden.text)
    }
  }

  @Test func `a mark that may be anywhere unmasks nothing`() throws {
    let around = place.insetBy(dx: -5, dy: -5)
    let hidden = try marked(begin: around, end: around, field: place) {
      $0.layer.frame = CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1)
    }
    #expect(hidden.pixels == 0 && hidden.covered > 100 && !hidden.text)
  }

  @Test func `a tap on what SwiftUI has masked tells no word`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let button = UIButton(frame: place)
    button.setTitle(Secret.text, for: .normal)
    button.accessibilityLabel = Secret.text
    let mark = UIView(frame: place.insetBy(dx: -5, dy: -5))
    screen.window.addSubview(mark)
    screen.window.addSubview(button)
    #expect(TapTarget(button).text == Secret.text)
    MaskMarks.shared.set(.mask, for: mark)
    #expect(TapTarget(button).text == nil && TapTarget(button).accessibilityLabel == nil)
    mark.frame = place.offsetBy(dx: 0, dy: 200)
    #expect(TapTarget(button).text == Secret.text, "it is elsewhere")
  }
}
