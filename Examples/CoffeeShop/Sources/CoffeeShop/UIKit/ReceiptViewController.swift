import UIKit

/// A receipt, in UIKit: AutoMobile hears of such screens and of taps on them by itself.
final class ReceiptViewController: UIViewController {
  private let order: Order
  private let onEarnPoints: () -> Void

  init(order: Order, onEarnPoints: @escaping () -> Void) {
    self.order = order
    self.onEarnPoints = onEarnPoints
    super.init(nibName: nil, bundle: nil)
    title = "Receipt"
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    let label = UILabel(frame: CGRect(x: 24, y: 120, width: 320, height: 40))
    label.text = "\(order.id): \(order.items) drinks, \(order.totalText)"
    view.addSubview(label)

    let button = UIButton(type: .system)
    button.frame = CGRect(x: 24, y: 180, width: 320, height: 44)
    button.setTitle("Earn points", for: .normal)
    button.accessibilityIdentifier = "earn-points"
    button.addAction(UIAction { [weak self] _ in self?.onEarnPoints() }, for: .touchUpInside)
    view.addSubview(button)
  }
}
