import ReplayTesting
import Testing
import UIKit

@testable import AutoMobileReplay

/// What the stand-ins put on the display: as little as a phone would, and as late.
@MainActor @Suite(.serialized) struct `The display of the stand-ins` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)
  private let scene = UIWindowScene()

  private func window(_ views: UIView...) -> UIWindow {
    UIApplication.shared.simulateConnection(of: scene)
    let window = UIWindow(windowScene: scene)
    window.backgroundColor = .white
    views.forEach(window.addSubview)
    return window
  }

  /// Pixels of the secret's colour.
  private func secret(_ window: UIWindow) -> Int {
    let picture = Picture.make(390, 844)
    picture.draw(window, pixelsPerPoint: 1, afterScreenUpdates: false)
    return picture.count(where: Secret.isShown)
  }

  private func box() -> UIView {
    let view = UIView(frame: place)
    view.backgroundColor = Secret.colour
    return view
  }

  @Test func `alpha and isHidden are the layer's, and are shown where an animation has come to`() {
    let view = box()
    let window = window(view)
    defer { UIApplication.shared.simulateDisconnection(of: scene) }
    view.alpha = 0
    #expect(view.layer.opacity == 0 && secret(window) == 0)
    view.layer.simulateAnimation(opacity: 0.6)
    #expect(view.alpha == 0 && view.layer.presentation()?.opacity == 0.6 && secret(window) > 10_000)
    view.layer.simulateAnimationEnd()
    view.alpha = 1
    view.isHidden = true
    #expect(view.layer.isHidden && secret(window) == 0)
    view.layer.simulateAnimation(isHidden: false)
    #expect(view.isHidden && secret(window) > 10_000)
  }

  @Test func `what is transformed is around its middle, in layers as in pictures`() {
    let view = box()
    let inner = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    view.addSubview(inner)
    let window = window(view)
    defer { UIApplication.shared.simulateDisconnection(of: scene) }
    view.transform = CGAffineTransform(scaleX: 0.5, y: 0.5)
    #expect(view.frame == place && view.layer.frame == CGRect(x: 90, y: 315, width: 100, height: 30))
    #expect(inner.layer.convert(inner.bounds, to: window.layer) == CGRect(x: 90, y: 315, width: 5, height: 5))
    #expect((2500...3500).contains(secret(window)))
    view.layer.simulateAnimation(transform: .identity)
    #expect(secret(window) > 11_000)
  }

  @Test func `what is changed in a turn is on the display when it is over`() {
    let (view, label) = (box(), Secret.label(CGRect(x: 0, y: 0, width: 200, height: 40)))
    let window = window(view, label)
    defer { UIApplication.shared.simulateDisconnection(of: scene) }
    let before = secret(window)
    SimulatedTurn.simulateBegin()
    view.removeFromSuperview()
    label.text = "Flat white"
    label.textColor = .black
    #expect(secret(window) == before)
    var isTold = false
    SimulatedTurn.simulateWaiting { isTold = true }
    #expect(!isTold)
    SimulatedTurn.simulateEnd()
    #expect(isTold && secret(window) == 0)
  }

  @Test func `what is not on the screen has no image`() {
    let window = window(box())
    defer { UIApplication.shared.simulateDisconnection(of: scene) }
    let picture = Picture.make(390, 844)
    #expect(picture.draw(window, pixelsPerPoint: 1, afterScreenUpdates: false))
    UIApplication.shared.simulateState(.background, of: scene)
    #expect(!picture.draw(window, pixelsPerPoint: 1, afterScreenUpdates: false))
    let lone = UIWindow(frame: window.frame)
    #expect(!picture.draw(lone, pixelsPerPoint: 1, afterScreenUpdates: false))
  }

  @Test func `a coordinator is looked for above, and never below`() {
    let (root, navigation, page) = (UIViewController(), UIViewController(), UIViewController())
    root.addChild(navigation)
    navigation.addChild(page)
    navigation.simulateTransition(true)
    #expect(root.transitionCoordinator == nil)
    #expect(navigation.transitionCoordinator != nil && page.transitionCoordinator != nil)
  }

  @Test func `an exception ends the drawing, and leaves contexts behind`() {
    let view = box()
    let window = window(view, Secret.label(CGRect(x: 0, y: 0, width: 200, height: 40)))
    defer { UIApplication.shared.simulateDisconnection(of: scene) }
    view.simulatesException = true
    let picture = Picture.make(390, 844)
    picture.draw(window, pixelsPerPoint: 1, afterScreenUpdates: false)
    #expect(SimulatedException.simulateCatch() && !SimulatedException.simulateCatch())
    #expect(UIGraphicsGetCurrentContext() != nil)
    while UIGraphicsGetCurrentContext() != nil { UIGraphicsPopContext() }
  }
}
