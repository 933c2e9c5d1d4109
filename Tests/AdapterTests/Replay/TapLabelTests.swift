import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// The rules that cover pixels keep words out of the labels of taps as well.
@MainActor @Suite struct `Labels of taps on what is masked` {
  private func button(_ change: (UIButton) -> Void) -> TapTarget {
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: 200, height: 60))
    button.setTitle(Secret.text, for: .normal)
    button.accessibilityLabel = Secret.text
    button.accessibilityIdentifier = "iban"
    change(button)
    return TapTarget(button)
  }

  @Test func `a button says what is on it, unless it is masked`() {
    #expect(button { _ in }.text == Secret.text)
    let marked = button { MaskMarks.shared.set(.mask, for: $0) }
    #expect(marked.text == nil && marked.accessibilityLabel == nil && marked.accessibilityIdentifier == "iban")
    let named = button { $0.accessibilityIdentifier = "mask:iban" }
    #expect(named.text == nil && named.accessibilityLabel == nil)
  }

  @Test func `a button in something masked, and a cell with a masked label`() {
    let box = UIView(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
    MaskMarks.shared.set(.mask, for: box)
    #expect(button { box.addSubview($0) }.text == nil)
    let cell = UITableViewCell(frame: CGRect(x: 0, y: 0, width: 390, height: 60))
    let secret = Secret.label(CGRect(x: 0, y: 0, width: 100, height: 40))
    cell.contentView.addSubview(secret)
    #expect(TapTarget(cell).text == Secret.text)
    cell.accessibilityLabel = Secret.text
    #expect(TapTarget(cell).accessibilityLabel == Secret.text)
    MaskMarks.shared.set(.mask, for: secret)
    #expect(TapTarget(cell).text == nil && TapTarget(cell).accessibilityLabel == nil)
    let name = UILabel(frame: CGRect(x: 200, y: 0, width: 100, height: 40))
    name.text = "Account"
    cell.contentView.addSubview(name)
    #expect(TapTarget(cell).text == "Account", "what may be seen may be told")
    MaskMarks.shared.set(nil, for: secret)
    cell.contentView.addSubview(Secret.field(CGRect(x: 0, y: 0, width: 100, height: 40)))
    #expect(TapTarget(cell).accessibilityLabel == nil, "a cell with a field may say what is in that")
  }

  @Test func `a button whose title is masked has none`() {
    let target = button { button in
      if let label = button.titleLabel { MaskMarks.shared.set(.mask, for: label) }
    }
    #expect(target.text == nil && target.accessibilityLabel == nil && target.accessibilityIdentifier == "iban")
    let deep = button { button in
      var box: UIView = button
      for _ in 0..<3 {
        let inner = UIView(frame: button.bounds)
        box.addSubview(inner)
        box = inner
      }
      box.accessibilityIdentifier = "mask:iban"
    }
    #expect(deep.text == nil && deep.accessibilityLabel == nil)
    let crowded = button { button in for _ in 0..<300 { button.addSubview(UIView(frame: .zero)) } }
    #expect(crowded.text == nil && crowded.accessibilityLabel == nil, "nobody has looked at all of them")
  }

  @Test func `in a view that is masked there are no identifiers, no classes and no places`() {
    final class KeyOfSeven: UIButton {}
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    let pad = UIView(frame: CGRect(x: 45, y: 400, width: 300, height: 400))
    pad.accessibilityIdentifier = "pad"
    let key = KeyOfSeven(frame: CGRect(x: 0, y: 200, width: 100, height: 100))
    key.setTitle("7", for: .normal)
    (key.accessibilityIdentifier, key.accessibilityLabel) = ("key-7", "7")
    pad.addSubview(key)
    window.addSubview(pad)
    let place = CGPoint(x: 95, y: 650)
    #expect(TapTarget(key, at: place).accessibilityIdentifier == "key-7")
    #expect(TapTarget(key, at: place).coveredPlace == nil)
    Replay.mask(pad)
    let masked = TapTarget(key, at: place)
    #expect(masked.properties == ["viewType": "UIView"])
    #expect(masked.coveredPlace == ScreenPoint(x: 195, y: 600))
    // A pad that draws its keys.
    Replay.mask(window)
    #expect(TapTarget(pad, at: place).coveredPlace == ScreenPoint(x: 195, y: 422))
    Replay.unmask(window)
    #expect(TapTarget(pad, at: place).coveredPlace == ScreenPoint(x: 195, y: 600))
    #expect(TapTarget(pad, at: place).accessibilityIdentifier == "pad", "that is what the app calls it")
    // As SwiftUI's marks are: behind it.
    let mark = UIView(frame: pad.frame)
    Replay.unmask(pad)
    window.addSubview(mark)
    Replay.mask(mark)
    #expect(TapTarget(key, at: place).properties == ["viewType": "UIView"])
    #expect(TapTarget(key, at: place).coveredPlace == ScreenPoint(x: 195, y: 600))
    #expect(TapTarget(key, at: CGPoint(x: 1, y: 1)).coveredPlace == nil)
    for view in [pad, window, mark] { MaskMarks.shared.set(nil, for: view) }
  }

  @Test func `a button, a label and a field that are masked themselves have their place, and a page has its middle`() {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    let place = CGPoint(x: 41, y: 301)
    let frame = CGRect(x: 40, y: 300, width: 200, height: 60)
    let field = Secret.field(frame)
    field.accessibilityIdentifier = "iban"
    for view in [UIButton(frame: frame), Secret.label(frame), field] {
      window.addSubview(view)
      MaskMarks.shared.set(.mask, for: view)
      #expect(TapTarget(view, at: place).coveredPlace == nil)
      #expect(TapTarget(view, at: place).text == nil && TapTarget(view, at: place).accessibilityLabel == nil)
      view.removeFromSuperview()
    }
    let (page, content) = (WKWebView(frame: frame), UIView(frame: CGRect(x: 0, y: 0, width: 200, height: 60)))
    page.addSubview(content)
    window.addSubview(page)
    #expect(TapTarget(content, at: place).coveredPlace == ScreenPoint(x: 140, y: 330))
    #expect(TapTarget(content, at: place).viewType == "WKWebView")
    Replay.unmask(page)
    #expect(TapTarget(content, at: place).coveredPlace == nil)
  }

  @Test func `a replay's choices hold for taps from when it begins until it ends, without any picture`() {
    var settings = CaptureSettings()
    settings.masking = ReplayMasking()
    settings.masking.mask(classes: [SecretLabel.self])
    let label = SecretLabel.make(SecretLabel.self, CGRect(x: 0, y: 0, width: 100, height: 40))
    #expect(TapTarget(label).text == Secret.text)
    let telemetry = SdkTelemetry()
    telemetry.useMasking(MaskingRules(settings))
    #expect(TapTarget(label).text == nil)
    #expect(button { _ in }.text == Secret.text)
    settings.masking.maskAllText = true
    telemetry.useMasking(MaskingRules(settings))
    #expect(button { _ in }.text == nil)
    telemetry.useMasking(nil)
    #expect(button { _ in }.text == Secret.text && TapTarget(label).text == Secret.text)
  }

  @Test func `a field of the app's own says nothing at all`() {
    let field = CodeView(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
    (field.accessibilityLabel, field.accessibilityIdentifier) = ("Code, 4 7 1", "code")
    for isUnmasked in [false, true] {
      if isUnmasked { Replay.unmask(field) }
      let target = TapTarget(field)
      #expect(target.properties == ["accessibilityIdentifier": "code", "viewType": "CodeView"])
      #expect(target.isInteractive == true)
    }
  }

  @Test func `what was typed is in no label, even where it may be seen`() {
    let field = Secret.field(CGRect(x: 0, y: 0, width: 100, height: 40))
    field.accessibilityLabel = "IBAN"
    #expect(TapTarget(field).text == nil && TapTarget(field).accessibilityLabel == "IBAN")
    MaskMarks.shared.set(.unmask, for: field)
    #expect(TapTarget(field).text == nil)
    MaskMarks.shared.set(.mask, for: field)
    #expect(TapTarget(field).accessibilityLabel == nil)
  }

  @Test func `a mark does not go over to another view, and keeps none alive`() {
    let marks = MaskMarks()
    weak var gone: UIView?
    for _ in 0..<500 {
      let view = UIView()
      #expect(marks.mark(of: view) == nil)
      marks.set(.mask, for: view)
      #expect(marks.mark(of: view) == .mask)
      gone = view
    }
    #expect(gone == nil)
  }
}
