import Foundation

/// Documentation: *UIScreen*. iOS 2.0.
@MainActor open class UIScreen: NSObject {
  /// Documentation: *main*. iOS 2.0.
  public class var main: UIScreen { theScreen }
  private static let theScreen = UIScreen()

  nonisolated override init() {}

  /// Documentation: *brightness*. iOS 5.0.
  public var brightness: CGFloat = 0.5 {
    didSet {
      guard brightness != oldValue else { return }
      NotificationCenter.default.post(name: Self.brightnessDidChangeNotification, object: self)
    }
  }
}

extension UIScreen {
  /// Documentation: *brightnessDidChangeNotification*. iOS 5.0.
  nonisolated public class var brightnessDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UIScreenBrightnessDidChangeNotification")
  }
}
