import Testing
import UIKit

@testable import AutoMobileInterface

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
    MaskMarks.shared.set(.mask, for: secret)
    #expect(TapTarget(cell).text == nil)
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
