import Foundation

/// Documentation: *UIViewController*. iOS 2.0.
@MainActor open class UIViewController: UIResponder {
  private var loadedView: UIView?

  /// Documentation: *init(nibName:bundle:)*. iOS 2.0.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  nonisolated public override init() { super.init() }

  /// Documentation: *init(coder:)*. iOS 2.0.
  public required init?(coder: NSCoder) { super.init() }

  /// Documentation: *title*. iOS 2.0.
  open var title: String?

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Documentation: *view*. iOS 2.0.
  open var view: UIView! {
    get {
      if loadedView == nil {
        loadView()
        viewDidLoad()
      }
      return loadedView
    }
    set {
      loadedView = newValue
      newValue?.controller = self
    }
  }

  /// Documentation: *loadView()*. iOS 2.0.
  open func loadView() { view = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844)) }
  /// Documentation: *viewDidLoad()*. iOS 2.0.
  open func viewDidLoad() {}
  /// Documentation: *viewWillAppear(_:)*. iOS 2.0.
  open func viewWillAppear(_ animated: Bool) {}
  /// Documentation: *viewDidAppear(_:)*. iOS 2.0.
  open func viewDidAppear(_ animated: Bool) {
    SimulatedMethods.begin(UIViewController.self, "viewDidAppear:", self, animated)
  }
  /// Documentation: *viewWillDisappear(_:)*. iOS 2.0.
  open func viewWillDisappear(_ animated: Bool) {}
  /// Documentation: *viewDidDisappear(_:)*. iOS 2.0.
  open func viewDidDisappear(_ animated: Bool) {}

  // MARK: Containers

  /// Documentation: *children*. iOS 5.0.
  open internal(set) var children: [UIViewController] = []
  /// Documentation: *parent*. iOS 2.0.
  open internal(set) weak var parent: UIViewController?

  /// Documentation: *addChild(_:)*. iOS 5.0.
  open func addChild(_ childController: UIViewController) {
    children.append(childController)
    childController.parent = self
  }

  /// Documentation: *removeFromParent()*. iOS 5.0.
  open func removeFromParent() {
    parent?.children.removeAll { $0 === self }
    parent = nil
  }

  /// Documentation: *navigationController*. iOS 2.0.
  open var navigationController: UINavigationController? { parent as? UINavigationController }

  // MARK: Presentation

  /// Documentation: *presentedViewController*. iOS 5.0.
  open internal(set) var presentedViewController: UIViewController?
  /// Documentation: *presentingViewController*. iOS 5.0.
  open internal(set) weak var presentingViewController: UIViewController?

  /// Documentation: *present(_:animated:completion:)*. iOS 5.0.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
  ) {
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    // In the same window, in front of what is there.
    if let window = loadedView?.window, let presented = viewControllerToPresent.view {
      let container = UITransitionView(frame: window.bounds)
      container.addSubview(presented)
      window.addSubview(container)
    }
    viewControllerToPresent.appear(animated: flag)
    completion?()
  }

  /// Documentation: *dismiss(animated:completion:)*. iOS 5.0.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    let presented = presentedViewController
    presentedViewController = nil
    presented?.disappear(animated: flag)
    (presented?.loadedView?.superview as? UITransitionView)?.removeFromSuperview()
    presented?.presentingViewController = nil
    completion?()
  }

  /// Documentation: *transitionCoordinator*. iOS 7.0.
  ///
  /// When it has none of its own, its ancestors are asked; those in it never are.
  open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
    ownTransition ?? parent?.transitionCoordinator
  }
  var ownTransition: (any UIViewControllerTransitionCoordinator)?

  // MARK: Appearance

  /// Those inside that are on the screen when this is.
  var shownChildren: [UIViewController] { children }

  /// The view comes on the screen, with the views of the children that are shown in it. These first: that is the order
  /// in which UIKit tells containers and their children.
  func appear(animated: Bool) {
    _ = view
    viewWillAppear(animated)
    shownChildren.forEach { $0.appear(animated: animated) }
    viewDidAppear(animated)
  }

  func disappear(animated: Bool) {
    viewWillDisappear(animated)
    shownChildren.forEach { $0.disappear(animated: animated) }
    viewDidDisappear(animated)
  }
}

/// What is around a view that is presented, by the name that it has there. No documentation has it.
final class UITransitionView: UIView {}

/// Documentation: *UIViewControllerTransitionCoordinator*. iOS 7.0.
@MainActor public protocol UIViewControllerTransitionCoordinator: NSObjectProtocol {}
