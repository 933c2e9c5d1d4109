import Testing
import UIKit

/// The stand-ins behave as documented, as far as adapters can tell.
@MainActor @Suite struct ViewTests {
  @Test func `points are converted between views, scrolled ones too`() {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    let list = UIScrollView(frame: CGRect(x: 0, y: 100, width: 390, height: 400))
    list.contentOffset = CGPoint(x: 0, y: 50)
    let row = UIView(frame: CGRect(x: 20, y: 60, width: 350, height: 40))
    window.addSubview(list)
    list.addSubview(row)
    #expect(row.convert(CGPoint.zero, to: nil) == CGPoint(x: 20, y: 110))
    #expect(row.convert(CGPoint(x: 25, y: 115), from: window) == CGPoint(x: 5, y: 5))
    #expect(row.window === window)
    #expect(window.hitTest(CGPoint(x: 25, y: 115), with: nil) === row)
    #expect(window.hitTest(CGPoint(x: 5, y: 105), with: nil) === list)
    #expect(window.hitTest(CGPoint(x: -1, y: 0), with: nil) == nil)
  }

  @Test func `the view in front is hit, and one that leaves is in no tree`() {
    let parent = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let (back, front) = (UIView(frame: parent.bounds), UIView(frame: parent.bounds))
    parent.addSubview(back)
    parent.addSubview(front)
    #expect(parent.hitTest(CGPoint(x: 1, y: 1), with: nil) === front)
    front.removeFromSuperview()
    #expect(front.superview == nil && parent.hitTest(CGPoint(x: 1, y: 1), with: nil) === back)
    // A view that is outside its parent is not hit there.
    back.frame = CGRect(x: 200, y: 0, width: 10, height: 10)
    #expect(parent.hitTest(CGPoint(x: 205, y: 5), with: nil) == nil)
  }

  @Test func `a layer that is animated shows where it is, not where it will be`() {
    let view = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    #expect(view.layer.presentation()?.frame == view.frame)
    view.layer.simulateAnimation(showing: CGRect(x: 5, y: 0, width: 10, height: 10))
    #expect(view.layer.presentation()?.frame.origin.x == 5 && view.layer.frame.origin.x == 0)
    view.layer.simulateAnimationEnd()
    #expect(view.layer.presentation()?.frame.origin.x == 0)
  }

  @Test func `scenes have windows, and come and go`() {
    let (scene, application) = (UIWindowScene(), UIApplication.shared)
    application.simulateConnection(of: scene)
    let window = UIWindow(windowScene: scene)
    #expect(scene.windows.first === window && application.connectedScenes.contains(scene))
    application.simulateDisconnection(of: scene)
    #expect(!application.connectedScenes.contains(scene))
  }
}
