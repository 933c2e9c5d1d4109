#if canImport(UIKit) && !os(watchOS)
import AutoMobileRecorder
#if canImport(AutoMobileErrorBarrier)
import AutoMobileErrorBarrier
#endif
import UIKit

/// A view controller that says itself which screen it is.
///
///     extension ProductViewController: AutoMobileScreen {
///       var automobileScreenName: String? { "product" }
///     }
@MainActor public protocol AutoMobileScreen: UIViewController {
  /// Asked each time that the view appears. Nil: this is no screen; the view controllers in it may be.
  var automobileScreenName: String? { get }
}

/// Reports the screens of a UIKit app by themselves: a view controller whose view appears is one, by the name of its
/// class.
///
/// None are containers (navigation, tab bar, split view and page view controllers), controllers of the system's and of
/// SwiftUI, and the children of what is a screen.
@MainActor final class UIKitScreens {
  nonisolated private static var viewDidAppear: Selector { NSSelectorFromString("viewDidAppear:") }
  private static var current: UIKitScreens?

  private let report: @Sendable (NavigationEvent) -> Void
  private let currentScreen: CurrentScreen
  private var names: [ObjectIdentifier: String?] = [:]
  /// The last that was reported, and what was the app's last screen then.
  private weak var last: UIViewController?
  private var lastChange: UInt64 = 0

  private init(_ currentScreen: CurrentScreen, _ report: @escaping @Sendable (NavigationEvent) -> Void) {
    self.currentScreen = currentScreen
    self.report = report
  }

  /// Begins to report, soon. Any thread; a second time changes nothing.
  nonisolated static func begin(_ currentScreen: CurrentScreen, _ report: @escaping @Sendable (NavigationEvent) -> Void)
  {
    DispatchQueue.main.async {
      ErrorBarrier.run(.viewAppearance) {
        guard current == nil else { return }
        current = UIKitScreens(currentScreen, report)
        observe()
      }
    }
  }

  /// Reports no more.
  nonisolated static func end() {
    DispatchQueue.main.async {
      ErrorBarrier.run(.viewAppearance) {
        AMStopObservingMethod(UIViewController.self, viewDidAppear)
        current = nil
      }
    }
  }

  // Not on the main actor: should somebody call it on another thread, that is not for us to end the app for.
  nonisolated private static func observe() {
    AMObserveFlagMethod(UIViewController.self, viewDidAppear) { controller, _ in
      ErrorBarrier.run(.viewAppearance) {
        guard let controller = controller as? UIViewController else { return }
        MainThread.run { current?.appeared(controller) }
      }
    }
  }

  private func appeared(_ controller: UIViewController) {
    guard let name = name(controller), !isPart(controller) else { return }
    // It appears again, and nothing was in between: a swipe back that was called off, a dialog of the system's.
    if last === controller, lastChange == currentScreen.changes { return }
    report(NavigationEvent(destination: name, source: .uiKitNavigation))
    last = controller
    lastChange = currentScreen.changes
  }

  /// Whether it is in a controller that is a screen itself.
  private func isPart(_ controller: UIViewController) -> Bool {
    var parent = controller.parent
    var depth = 0
    while let current = parent, depth < 32 {
      if name(current) != nil { return true }
      parent = current.parent
      depth += 1
    }
    return false
  }

  private func name(_ controller: UIViewController) -> String? {
    if let screen = controller as? any AutoMobileScreen { return TapTarget.bounded(screen.automobileScreenName) }
    if controller is UINavigationController || controller is UITabBarController || controller is UISplitViewController
      || controller is UIPageViewController
    {
      return nil
    }
    let type = type(of: controller)
    if let known = names[ObjectIdentifier(type)] { return known }
    let name = ScreenName.of(
      String(describing: type), ancestry: Self.ancestry(type), isOfApp: Self.isOfApp(type))
    names[ObjectIdentifier(type)] = .some(name)
    return name
  }

  private static func ancestry(_ type: AnyClass) -> [String] {
    var names: [String] = []
    var current: AnyClass? = type
    while let type = current, names.count < 32 {
      names.append(String(reflecting: type))
      #if canImport(ObjectiveC)
      current = class_getSuperclass(type)
      #else
      current = _getSuperclass(type)
      #endif
    }
    return names
  }

  private static func isOfApp(_ type: AnyClass) -> Bool {
    #if canImport(ObjectiveC)
    // On a device and in a simulator, what the system brings lies there.
    return !Bundle(for: type).bundlePath.contains("/System/Library/")
    #else
    return !String(reflecting: type).hasPrefix("UIKit.")
    #endif
  }
}
#endif
