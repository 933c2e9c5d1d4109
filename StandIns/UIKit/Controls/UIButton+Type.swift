extension UIButton {
  /// Documentation: *UIButton.ButtonType*. iOS 2.0.
  public enum ButtonType: Int, Sendable {
    case system = 1
  }

  /// Documentation: *init(type:)*. iOS 2.0.
  public convenience init(type buttonType: UIButton.ButtonType) { self.init(frame: .zero) }
}
