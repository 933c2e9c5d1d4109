import Foundation

/// Documentation: *UIPasteboard*. iOS 3.0.
@MainActor open class UIPasteboard: NSObject {
  /// Documentation: *general*. iOS 3.0.
  public class var general: UIPasteboard { theGeneral }
  private static let theGeneral = UIPasteboard()

  /// Documentation: *string*. iOS 3.0.
  open var string: String?
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
}

/// Documentation: *UIActivity*. iOS 6.0.
@MainActor open class UIActivity: NSObject {}
