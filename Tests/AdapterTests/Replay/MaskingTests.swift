import AutoMobileSDK
import Foundation
import Testing
import UIKit

@testable import AutoMobileReplay

/// A secret is drawn in every kind of view: it is in no picture, in no line, in no label. Each time, the same view
/// without its mask shows that the test would see it.
@MainActor @Suite(.serialized) struct `What is masked` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  private func expectHidden(
    _ comment: Comment, with settings: CaptureSettings = CaptureSettings(),
    sourceLocation: SourceLocation = #_sourceLocation,
    show: (RecordedScreen) throws -> Void
  ) throws {
    let screen = RecordedScreen(settings)
    defer { screen.end() }
    try show(screen)
    screen.record()
    #expect(!screen.frames.isEmpty && !screen.lines.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(try screen.secretPixels() == 0, comment, sourceLocation: sourceLocation)
    #expect(!screen.textIsRecorded, comment, sourceLocation: sourceLocation)
    #expect(try screen.maskedPixels() > 100, comment, sourceLocation: sourceLocation)
  }

  private func expectShown(
    _ comment: Comment, with settings: CaptureSettings = CaptureSettings(),
    sourceLocation: SourceLocation = #_sourceLocation,
    show: (RecordedScreen) -> Void
  ) throws {
    let screen = RecordedScreen(settings)
    defer { screen.end() }
    show(screen)
    screen.record()
    #expect(try screen.secretPixels() > 20, comment, sourceLocation: sourceLocation)
    #expect(try screen.maskedPixels() == 0, comment, sourceLocation: sourceLocation)
  }

  @Test func `a label is shown, as a picture and as text`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    screen.window.addSubview(Secret.label(place))
    screen.record()
    #expect(try screen.secretPixels() > 20)
    #expect(screen.textIsRecorded)
  }

  @Test func `a password stays one while a button shows it, and by what it is for`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let form = UIView(frame: screen.window.bounds)
    MaskMarks.shared.set(.unmask, for: form)
    screen.window.addSubview(form)
    let field = Secret.field(place, isSecure: true)
    form.addSubview(field)
    screen.record()
    field.isSecureTextEntry = false
    screen.record()
    #expect(try screen.secretPixels() == 0)
    #expect(!screen.textIsRecorded)
    field.removeFromSuperview()
    for type in [UITextContentType.password, .newPassword, .oneTimeCode] {
      let other = Secret.field(place)
      other.textContentType = type
      form.addSubview(other)
      screen.record()
      #expect(try screen.secretPixels() == 0, "\(type)")
      #expect(!screen.textIsRecorded, "\(type)")
      other.removeFromSuperview()
    }
    form.addSubview(Secret.field(place))
    screen.record()
    // What was there before is covered once more.
    screen.record()
    #expect(try screen.secretPixels() > 20, "another field is shown, as the app said")
  }

  @Test func `a field of the app's own for a code stays covered, whatever anybody says`() throws {
    var settings = CaptureSettings()
    settings.masksTextInput = false
    try expectShown("one that is for nothing secret", with: settings) {
      $0.window.addSubview(CodeView(frame: place))
    }
    try expectHidden("covered as fields are") { $0.window.addSubview(CodeView(frame: place)) }
    let changes: [(CodeView) -> Void] = [{ $0.isSecureTextEntry = true }, { $0.textContentType = .oneTimeCode }]
    for change in changes {
      try expectHidden("secret, and unmasked", with: settings) {
        let field = CodeView(frame: place)
        change(field)
        Replay.unmask(field)
        Replay.unmask($0.window)
        $0.window.addSubview(field)
        $0.record()
        // A button shows it.
        field.isSecureTextEntry = false
      }
    }
  }

  @Test func `a layer that sticks out of what is masked`() throws {
    try expectHidden("a layer without a view") { screen in
      let card = UIView(frame: CGRect(x: 40, y: 100, width: 200, height: 60))
      MaskMarks.shared.set(.mask, for: card)
      screen.window.addSubview(card)
      let badge = CATextLayer()
      badge.frame = CGRect(x: 0, y: 200, width: 200, height: 60)
      card.layer.addSublayer(badge)
    }
  }

  @Test func `what lies over a view that is masked says no word`() throws {
    // As SwiftUI's marks do: a view behind what it covers, and not around it.
    try expectHidden("behind") {
      let mark = UIView(frame: place)
      MaskMarks.shared.set(.mask, for: mark)
      $0.window.addSubview(mark)
      $0.window.addSubview(Secret.label(place))
    }
    try expectHidden("in front") {
      let mark = UIView(frame: place)
      MaskMarks.shared.set(.mask, for: mark)
      $0.window.addSubview(Secret.label(place))
      $0.window.addSubview(mark)
    }
  }

  @Test func `every kind of view that is private by itself`() throws {
    let kinds: [(String, () -> UIView)] = [
      ("secure field", { Secret.field(place, isSecure: true) }), ("field", { Secret.field(place) }),
      ("text view", { Secret.textView(place) }),
      (
        "search",
        {
          let bar = UISearchBar(frame: place)
          bar.searchTextField.text = Secret.text
          bar.searchTextField.textColor = Secret.colour
          return bar
        }
      ), ("web page", { WKWebView(frame: place) }), ("camera", { CameraView(frame: place) }),
      (
        "camera in a layer",
        {
          let view = DrawingView(frame: place)
          view.layer.addSublayer(AVCaptureVideoPreviewLayer())
          return view
        }
      ),
    ]
    for (name, make) in kinds {
      try expectHidden("\(name)") { $0.window.addSubview(make()) }
      if name == "secure field" { continue }
      try expectShown("\(name), unmasked") {
        let view = make()
        MaskMarks.shared.set(.unmask, for: view)
        $0.window.addSubview(view)
      }
    }
  }

  @Test func `a secure field is masked whatever anybody says`() throws {
    var settings = CaptureSettings()
    settings.masksTextInput = false
    try expectHidden("unmasked, and in something unmasked", with: settings) {
      let field = Secret.field(place, isSecure: true)
      MaskMarks.shared.set(.unmask, for: field)
      MaskMarks.shared.set(.unmask, for: $0.window)
      $0.window.addSubview(field)
    }
    try expectShown("an open field", with: settings) { $0.window.addSubview(Secret.field(place)) }
  }

  @Test func `images on request`() throws {
    var settings = CaptureSettings()
    try expectShown("not asked for", with: settings) { $0.window.addSubview(Secret.image(place)) }
    settings.masksImages = true
    try expectHidden("asked for", with: settings) { $0.window.addSubview(Secret.image(place)) }
  }

  @Test func `marked views, and those whose identifier says so`() throws {
    try expectHidden("marked") {
      let label = Secret.label(place)
      MaskMarks.shared.set(.mask, for: label)
      $0.window.addSubview(label)
    }
    try expectHidden("identifier") {
      let label = Secret.label(place)
      label.accessibilityIdentifier = "mask:iban"
      $0.window.addSubview(label)
    }
    try expectHidden("in something marked, and sticking out of it") {
      let box = UIView(frame: CGRect(x: 0, y: 250, width: 60, height: 60))
      box.addSubview(Secret.label(CGRect(x: 40, y: 50, width: 200, height: 60)))
      MaskMarks.shared.set(.mask, for: box)
      $0.window.addSubview(box)
    }
    try expectHidden("masked in something unmasked") {
      let box = UIView(frame: $0.window.bounds)
      MaskMarks.shared.set(.unmask, for: box)
      let label = Secret.label(place)
      MaskMarks.shared.set(.mask, for: label)
      box.addSubview(label)
      $0.window.addSubview(box)
    }
  }

  @Test func `a mark that is taken back holds no more`() throws {
    try expectShown("taken back") {
      let label = Secret.label(place)
      MaskMarks.shared.set(.mask, for: label)
      MaskMarks.shared.set(nil, for: label)
      $0.window.addSubview(label)
    }
  }

  @Test func `the mask follows what moves`() throws {
    try expectHidden("moved from frame to frame") { screen in
      let field = Secret.field(place)
      screen.window.addSubview(field)
      for step in 0..<12 {
        field.frame.origin = CGPoint(x: CGFloat(step) * 13.3 - 20, y: CGFloat(step) * 61.7)
        screen.record()
      }
      field.frame = place
    }
    try expectHidden("on its way in an animation: where it is shown, not where it will be") { screen in
      let field = Secret.field(place)
      screen.window.addSubview(field)
      field.layer.simulateAnimation(showing: CGRect(x: 100, y: 620, width: 200, height: 60))
      screen.record()
    }
    try expectHidden("in something that is on its way") { screen in
      let sheet = UIView(frame: CGRect(x: 0, y: 100, width: 390, height: 700))
      sheet.backgroundColor = .white
      sheet.addSubview(Secret.field(place))
      screen.window.addSubview(sheet)
      sheet.layer.simulateAnimation(showing: CGRect(x: 0, y: 333, width: 390, height: 700), opacity: 0.7)
      screen.record()
    }
    try expectHidden("scrolled, in a cell") { screen in
      let list = UIScrollView(frame: screen.window.bounds)
      list.contentSize = CGSize(width: 390, height: 4000)
      let cell = UITableViewCell(frame: CGRect(x: 0, y: 700, width: 390, height: 80))
      cell.contentView.addSubview(Secret.field(CGRect(x: 20, y: 10, width: 200, height: 60)))
      list.addSubview(cell)
      screen.window.addSubview(list)
      for offset in stride(from: 0.0, through: 600, by: 47) {
        list.contentOffset.y = offset
        screen.record()
      }
    }
  }

  @Test func `a cell that is used again`() throws {
    try expectHidden("the same cell, with and without a secret") { screen in
      let cell = UITableViewCell(frame: CGRect(x: 0, y: 200, width: 390, height: 80))
      let label = Secret.label(CGRect(x: 20, y: 10, width: 200, height: 60))
      cell.contentView.addSubview(label)
      screen.window.addSubview(cell)
      for row in 0..<6 {
        let isSecret = row % 2 == 0
        cell.frame.origin.y = CGFloat(row) * 100
        label.text = isSecret ? Secret.text : "Flat white"
        label.textColor = isSecret ? Secret.colour : .black
        MaskMarks.shared.set(isSecret ? .mask : nil, for: label)
        screen.record()
      }
      label.text = Secret.text
      label.textColor = Secret.colour
      MaskMarks.shared.set(.mask, for: label)
    }
  }

  @Test func `what is covered, what is presented, and what half shows through`() throws {
    try expectHidden("under a sheet that leaves a part of it free") { screen in
      screen.window.addSubview(Secret.field(place))
      let sheet = UIView(frame: CGRect(x: 0, y: 330, width: 390, height: 500))
      sheet.backgroundColor = .white
      screen.window.addSubview(sheet)
    }
    try expectHidden("in a sheet in front") { screen in
      let sheet = UIView(frame: CGRect(x: 0, y: 200, width: 390, height: 644))
      sheet.backgroundColor = .white
      sheet.addSubview(Secret.field(CGRect(x: 20, y: 20, width: 300, height: 40)))
      screen.window.addSubview(sheet)
    }
    try expectHidden("in a window in front") { screen in
      let front = UIWindow(frame: CGRect(x: 20, y: 400, width: 350, height: 200))
      front.windowScene = screen.window.windowScene
      front.backgroundColor = .white
      front.addSubview(Secret.field(CGRect(x: 20, y: 20, width: 300, height: 40)))
    }
    try expectHidden("half transparent") { screen in
      let field = Secret.field(place)
      field.alpha = 0.5
      screen.window.addSubview(field)
    }
  }

  @Test func `the keyboard's place`() throws {
    let keyboard = CGRect(x: 0, y: 500, width: 390, height: 344)
    try expectHidden("while it is up") { screen in
      // What is drawn there stands for its keys, which are in no window of the app's.
      SimulatedKeyboard.simulateShow(covering: keyboard)
      screen.window.addSubview(DrawingView(frame: CGRect(x: 40, y: 600, width: 200, height: 60)))
    }
    SimulatedKeyboard.simulateHide(from: keyboard)
  }

  @Test func `a frame is skipped when a masked view may be anywhere`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let field = Secret.field(place)
    screen.window.addSubview(field)
    screen.record()
    let count = screen.frames.count
    #expect(count == 1)
    field.layer.simulateAnimation(opacity: 0.9)
    field.layer.simulateUncommitted()
    screen.window.addSubview(Secret.label(CGRect(x: 0, y: 0, width: 100, height: 40)))
    screen.record()
    #expect(screen.frames.count == count)
    field.layer.simulateUncommitted(false)
    field.layer.simulateAnimation(showing: CGRect(x: CGFloat.nan, y: 0, width: 10, height: 10))
    screen.record()
    #expect(screen.frames.count == count)
    field.layer.simulateAnimationEnd()
    screen.record()
    #expect(screen.frames.count == count + 1)
  }

  @Test func `hidden views are not covered, and what a scroll view cuts off is none of the bars'`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let hidden = Secret.field(place)
    hidden.isHidden = true
    screen.window.addSubview(hidden)
    let list = UIScrollView(frame: CGRect(x: 0, y: 100, width: 390, height: 600))
    list.addSubview(Secret.field(CGRect(x: 0, y: -300, width: 390, height: 100)))
    screen.window.addSubview(list)
    screen.record()
    #expect(try screen.maskedPixels() == 0)
  }
}
