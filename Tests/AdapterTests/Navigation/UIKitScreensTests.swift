import AutoMobileSupport
import Foundation
import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

private final class MenuViewController: UIViewController {}
private final class ProductViewController: UIViewController {}
private final class BadgeViewController: UIViewController {}
private final class ShopTabs: UITabBarController {}
/// The app's own container, which says that it is no screen.
private final class DrawerController: UIViewController, AutoMobileScreen {
  var automobileScreenName: String? { nil }
}
private final class CheckoutController: UIViewController, AutoMobileScreen {
  var automobileScreenName: String? { "checkout" }
}

/// A15: the screens of a UIKit app, by themselves.
@MainActor @Suite(.serialized) struct UIKitScreensTests {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))

  private func observed(_ body: (AdapterHarness, ScreensSubsystem) async throws -> Void) async throws {
    let sdk = Locked<AutoMobileSDK?>(nil)
    let screens = ScreensSubsystem { event in sdk.withLock { $0 }?.notifyNavigationEvent(event) }
    let harness = AdapterHarness([.screens(screens)])
    sdk.withLock { $0 = harness.sdk }
    await turn()
    do { try await body(harness, screens) } catch { Issue.record(error) }
    await harness.end()
    #expect(SimulatedMethods.count == 0, "the view controllers' method is as it was")
    sdk.withLock { $0 = nil }
  }

  private func told(_ harness: AdapterHarness) throws -> [String] {
    try harness.events(SdkNavigationEvent.self).map(\.destination)
  }

  @Test func `A15: view controllers are screens by their class, and take the path of every navigation`() async throws {
    try await observed { (harness, _) async throws in
      let heard = Locked<[NavigationEvent]>([])
      let listener = harness.sdk.addNavigationListener { event in heard.withLock { $0.append(event) } }
      let menu = MenuViewController()
      menu.title = "Ada's private menu"
      let navigation = UINavigationController(rootViewController: menu)
      window.rootViewController = navigation
      window.makeKeyAndVisible()
      navigation.pushViewController(ProductViewController(), animated: true)
      navigation.popViewController(animated: true)
      #expect(try told(harness) == ["MenuViewController", "ProductViewController", "MenuViewController"])
      #expect(try harness.events(SdkNavigationEvent.self).allSatisfy { $0.source == .uiKitNavigation })
      #expect(heard.withLock { $0.map(\.source) } == [.uiKitNavigation, .uiKitNavigation, .uiKitNavigation])
      #expect(harness.sdk.currentScreen.noted == "MenuViewController")
      withExtendedLifetime(listener) {}
    }
  }

  @Test func `A15: containers, the system's own and parts of a screen are left out`() async throws {
    try await observed { (harness, _) async throws in
      let (tabs, menu) = (ShopTabs(), MenuViewController())
      menu.addChild(BadgeViewController())
      tabs.viewControllers = [UINavigationController(rootViewController: menu), ProductViewController()]
      window.rootViewController = tabs
      window.makeKeyAndVisible()
      tabs.selectedIndex = 1
      let alert = UIAlertController()
      tabs.present(alert, animated: true)
      tabs.dismiss(animated: true)
      #expect(try told(harness) == ["MenuViewController", "ProductViewController"])
    }
  }

  @Test func `A15: a screen can name itself, or say that it is none`() async throws {
    try await observed { (harness, _) async throws in
      let drawer = DrawerController()
      drawer.addChild(CheckoutController())
      drawer.appear(in: window)
      #expect(try told(harness) == ["checkout"])
    }
  }

  @Test func `A15: a controller that appears again, with nothing in between, is told once`() async throws {
    try await observed { (harness, _) async throws in
      let menu = MenuViewController()
      menu.viewDidAppear(true)
      // A swipe back that was called off.
      menu.viewDidAppear(true)
      #expect(try told(harness) == ["MenuViewController"])
      harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "sheet", source: .swiftUINavigation))
      menu.viewDidAppear(true)
      #expect(try told(harness) == ["MenuViewController", "sheet", "MenuViewController"])
    }
  }

  @Test func `A15: switched off, nothing is reported; on again, it is`() async throws {
    try await observed { (harness, screens) async throws in
      harness.sdk.setEnabled(false, for: .screens)
      await turn()
      MenuViewController().viewDidAppear(false)
      #expect(!screens.isEnabled && !harness.sdk.isEnabled(.screens))
      harness.sdk.setEnabled(true, for: .screens)
      harness.sdk.setEnabled(true, for: .screens)
      await turn()
      #expect(SimulatedMethods.count == 1)
      ProductViewController().viewDidAppear(false)
      #expect(try told(harness) == ["ProductViewController"])
    }
  }
}

extension UIViewController {
  fileprivate func appear(in window: UIWindow) {
    window.rootViewController = self
    window.makeKeyAndVisible()
  }
}
