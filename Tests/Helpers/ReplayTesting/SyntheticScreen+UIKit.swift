#if canImport(UIKit)
import UIKit

/// A screen that changes in a known way, for the figures of a replay's bytes.
@MainActor package final class SyntheticScreen {
  package let name: String
  package let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  private var step: (Int) -> Void = { _ in }

  private init(_ name: String) {
    self.name = name
    window.backgroundColor = .white
  }

  /// The screen as it is when the frame of this number is taken.
  package func show(_ frame: Int) { step(frame) }

  // MARK: The screens

  /// Somebody reads a form.
  package static func form() -> SyntheticScreen {
    let screen = SyntheticScreen("static form")
    screen.addForm()
    return screen
  }

  /// Somebody types a letter for each frame.
  package static func typing() -> SyntheticScreen {
    let screen = SyntheticScreen("typing")
    screen.addForm()
    let note = UITextView(frame: CGRect(x: 16, y: 500, width: 358, height: 180))
    note.backgroundColor = UIColor(white: 0.97, alpha: 1)
    screen.window.addSubview(note)
    let text = Array(String(repeating: "Oat milk, extra hot, no lid please. Ring at the side door. ", count: 4))
    screen.step = { note.text = String(text.prefix($0 % text.count)) }
    return screen
  }

  /// Somebody scrolls through a list, `points` for each frame, there and back.
  package static func list(by points: CGFloat, _ name: String) -> SyntheticScreen {
    let screen = SyntheticScreen(name)
    let list = UIScrollView(frame: CGRect(x: 0, y: 100, width: 390, height: 664))
    let count = 120
    for row in 0..<count { list.addSubview(screen.row(row)) }
    list.contentSize = CGSize(width: 390, height: CGFloat(count) * 75)
    screen.window.addSubview(list)
    screen.addBars("Menu")
    let end = list.contentSize.height - list.bounds.height
    screen.step = { frame in
      let way = (CGFloat(frame) * points).truncatingRemainder(dividingBy: end * 2)
      list.contentOffset.y = way <= end ? way : end * 2 - way
    }
    return screen
  }

  /// A video above a page of text, or on the whole screen.
  package static func video(isFull: Bool) -> SyntheticScreen {
    let screen = SyntheticScreen(isFull ? "video on the whole screen" : "video on a page")
    let height: CGFloat = isFull ? 844 : 220
    let video = UIImageView(frame: CGRect(x: 0, y: isFull ? 0 : 100, width: 390, height: height))
    if !isFull {
      screen.addBars("Latte art")
      for line in 0..<16 { screen.addLabel("Comment \(line): how do you pour this?", y: 340 + CGFloat(line) * 26) }
    }
    screen.window.addSubview(video)
    screen.step = { frame in
      var generator = SeededGenerator(UInt64(frame))
      let grain = (0..<4096).map { _ in Int(truncatingIfNeeded: generator.next() % 12) }
      video.image = .simulate(width: 195, height: Int(height / 2)) { x, y in
        let wave = Int(127 + 100 * sin(Double(x + frame * 7) / 19) * cos(Double(y - frame * 5) / 23))
        let light = min(255, max(0, wave + grain[(x * 31 + y * 17) & 4095]))
        return UInt32(light) << 16 | UInt32(255 - light) << 8 | UInt32((light * 3 + frame * 4) & 255)
      }
    }
    return screen
  }

  // MARK: Their parts

  private func addForm() {
    addBars("Your details")
    let rows = [
      ("Name", "Ada Lovelace"), ("E-mail", "ada@example.com"), ("Street", "12 St James's Square"), ("City", "London"),
      ("Delivery", "Leave it at the door"),
    ]
    for (index, row) in rows.enumerated() {
      let y = 120 + CGFloat(index) * 64
      addLabel(row.0, y: y, size: 13)
      let field = UITextField(frame: CGRect(x: 16, y: y + 22, width: 300, height: 34))
      field.text = row.1
      field.backgroundColor = UIColor(white: 0.95, alpha: 1)
      window.addSubview(field)
      let toggle = UISwitch(frame: CGRect(x: 325, y: y + 24, width: 51, height: 31))
      toggle.isOn = index % 2 == 0
      window.addSubview(toggle)
    }
    let button = UIButton(frame: CGRect(x: 16, y: 700, width: 358, height: 48))
    button.backgroundColor = UIColor(white: 0.9, alpha: 1)
    button.layer.cornerRadius = 12
    button.setTitle("Place the order", for: .normal)
    window.addSubview(button)
  }

  private func addBars(_ title: String) {
    let top = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 100))
    top.backgroundColor = UIColor(white: 0.98, alpha: 1)
    let label = UILabel(frame: CGRect(x: 16, y: 50, width: 300, height: 40))
    label.text = title
    label.font = .boldSystemFont(ofSize: 30)
    top.addSubview(label)
    window.addSubview(top)
    let bottom = UIView(frame: CGRect(x: 0, y: 764, width: 390, height: 80))
    bottom.backgroundColor = UIColor(white: 0.98, alpha: 1)
    for (index, tab) in ["Menu", "Cart", "Orders", "Account"].enumerated() {
      let label = UILabel(frame: CGRect(x: 24 + CGFloat(index) * 94, y: 10, width: 80, height: 30))
      label.text = tab
      bottom.addSubview(label)
    }
    window.addSubview(bottom)
  }

  private func addLabel(_ text: String, y: CGFloat, size: CGFloat = 17) {
    let label = UILabel(frame: CGRect(x: 16, y: y, width: 358, height: size * 1.3))
    label.text = text
    label.font = .systemFont(ofSize: size)
    window.addSubview(label)
  }

  private func row(_ number: Int) -> UIView {
    let cell = UITableViewCell(frame: CGRect(x: 0, y: CGFloat(number) * 75, width: 390, height: 75))
    let image = UIImageView(frame: CGRect(x: 16, y: 10, width: 55, height: 55))
    image.image = .simulate(width: 44, height: 44) { x, y in
      UInt32((x * 5 + number * 37) & 255) << 16 | UInt32((y * 5 + number * 11) & 255) << 8 | UInt32((x * y) & 255)
    }
    cell.contentView.addSubview(image)
    let kinds = ["Flat white", "Cortado", "Filter", "Espresso macchiato", "Iced latte"]
    let title = UILabel(frame: CGRect(x: 84, y: 10, width: 220, height: 24))
    title.text = "\(kinds[number % kinds.count]) no. \(number)"
    cell.contentView.addSubview(title)
    let detail = UILabel(frame: CGRect(x: 84, y: 38, width: 220, height: 20))
    detail.text = "from the roastery, batch \(number * 7919 % 1000)"
    detail.font = .systemFont(ofSize: 13)
    detail.textColor = .gray
    cell.contentView.addSubview(detail)
    let price = UILabel(frame: CGRect(x: 320, y: 24, width: 60, height: 24))
    price.text = "£\(2 + number % 3).\(10 + number * 13 % 90)"
    cell.contentView.addSubview(price)
    let line = UIView(frame: CGRect(x: 16, y: 74, width: 374, height: 1))
    line.backgroundColor = UIColor(white: 0.85, alpha: 1)
    cell.contentView.addSubview(line)
    return cell
  }
}
#endif
