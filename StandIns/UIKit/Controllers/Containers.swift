/// Documentation: *UINavigationController*. iOS 2.0.
@MainActor open class UINavigationController: UIViewController {
  /// Documentation: *init(rootViewController:)*. iOS 2.0.
  public init(rootViewController: UIViewController) {
    super.init(nibName: nil, bundle: nil)
    addChild(rootViewController)
  }

  /// Documentation: *init(coder:)*. iOS 2.0.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// Documentation: *viewControllers*. iOS 2.0.
  open var viewControllers: [UIViewController] {
    get { children }
    set {
      let before = topViewController
      children.forEach { $0.removeFromParent() }
      newValue.forEach(addChild)
      guard before !== topViewController else { return }
      before?.disappear(animated: false)
      topViewController?.appear(animated: false)
    }
  }
  /// Documentation: *topViewController*. iOS 2.0.
  open var topViewController: UIViewController? { children.last }
  override var shownChildren: [UIViewController] { topViewController.map { [$0] } ?? [] }

  /// Documentation: *pushViewController(_:animated:)*. iOS 2.0.
  open func pushViewController(_ viewController: UIViewController, animated: Bool) {
    topViewController?.disappear(animated: animated)
    addChild(viewController)
    viewController.appear(animated: animated)
  }

  /// Documentation: *popViewController(animated:)*. iOS 2.0.
  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? {
    guard children.count > 1, let top = topViewController else { return nil }
    top.disappear(animated: animated)
    top.removeFromParent()
    topViewController?.appear(animated: animated)
    return top
  }
}

/// Documentation: *UITabBarController*. iOS 2.0.
@MainActor open class UITabBarController: UIViewController {
  /// Documentation: *viewControllers*. iOS 2.0.
  open var viewControllers: [UIViewController]? {
    didSet {
      children.forEach { $0.removeFromParent() }
      viewControllers?.forEach(addChild)
    }
  }

  private var selected = 0
  /// Documentation: *selectedIndex*. iOS 2.0.
  open var selectedIndex: Int {
    get { selected }
    set {
      shownChildren.forEach { $0.disappear(animated: false) }
      selected = newValue
      shownChildren.forEach { $0.appear(animated: false) }
    }
  }

  override var shownChildren: [UIViewController] { children.indices.contains(selected) ? [children[selected]] : [] }
}

/// Documentation: *UISplitViewController*. iOS 3.2.
@MainActor open class UISplitViewController: UIViewController {}

/// Documentation: *UIPageViewController*. iOS 5.0.
@MainActor open class UIPageViewController: UIViewController {}

/// Documentation: *UIAlertController*. iOS 8.0.
@MainActor open class UIAlertController: UIViewController {}
