import Foundation

/// Documentation: *UIPasteboard*. iOS 3.0.
open class UIPasteboard: NSObject, @unchecked Sendable {
  // Unchecked: its text has a lock.
  private let lock = NSLock()
  private var text: String?

  /// Documentation: *general*. iOS 3.0.
  open class var general: UIPasteboard { theGeneral }
  private static let theGeneral = UIPasteboard()

  /// Documentation: *string*. iOS 3.0.
  open var string: String? {
    get { lock.withLock { text } }
    set { lock.withLock { text = newValue } }
  }
}

/// Documentation: *UIActivityViewController*. iOS 6.0.
@MainActor open class UIActivityViewController: UIViewController {
  /// For tests: Apple's keeps it to itself.
  public let simulatedItems: [Any]

  /// Documentation: *init(activityItems:applicationActivities:)*. iOS 6.0.
  public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
    simulatedItems = activityItems
    super.init(nibName: nil, bundle: nil)
  }

  /// Documentation: *init(coder:)*. iOS 2.0.
  public required init?(coder: NSCoder) {
    simulatedItems = []
    super.init(coder: coder)
  }
}

/// Documentation: *UIActivity*. iOS 6.0.
open class UIActivity: NSObject {}
