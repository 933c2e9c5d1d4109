import Testing
import UIKit

@testable import AutoMobileReplay

/// What is drawn may be a frame or two of the display behind the tree of views: what is masked is noted before that, and covered where
/// it was then, where it is, and between the two.
@MainActor @Suite(.serialized) struct `A display that is behind` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)
  private let screen = CGRect(x: 0, y: 0, width: 390, height: 844)

  /// The secret is masked in `build`, and changed in a turn that the display does not show yet.
  private func expectHidden(
    _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ build: (RecordedScreen) -> (earlier: () -> Void, change: () -> Void)
  ) throws {
    let recorded = RecordedScreen()
    defer { recorded.end() }
    let (earlier, change) = build(recorded)
    recorded.record(isLate: true, after: earlier, in: change)
    #expect(recorded.frames.count == 1, comment, sourceLocation: sourceLocation)
    #expect(try recorded.secretPixels() == 0, comment, sourceLocation: sourceLocation)
  }

  private func expectHidden(
    _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: @escaping (UIScrollView, UITextField) -> Void
  ) throws {
    try expectHidden(comment, sourceLocation: sourceLocation) { recorded in
      let list = UIScrollView(frame: screen)
      let field = Secret.field(place)
      list.addSubview(field)
      recorded.window.addSubview(list)
      return ({}, { change(list, field) })
    }
  }

  @Test func `what moves, is scrolled, turned, faded, hidden, clipped, put elsewhere, or removed`() throws {
    try expectHidden("moved") { _, field in field.frame.origin = CGPoint(x: 100, y: 700) }
    try expectHidden("scrolled") { list, _ in list.contentOffset.y = 200 }
    try expectHidden("scrolled out of sight") { list, _ in list.contentOffset.y = 2000 }
    try expectHidden("turned") { _, field in field.transform = CGAffineTransform(rotationAngle: 1.5) }
    try expectHidden("shrunk") { list, _ in list.transform = CGAffineTransform(scaleX: 0.2, y: 0.2) }
    try expectHidden("faded") { list, _ in list.alpha = 0 }
    try expectHidden("hidden") { _, field in field.isHidden = true }
    try expectHidden("clipped") { list, _ in list.frame.size.height = 100 }
    try expectHidden("put elsewhere") { list, field in list.superview?.addSubview(field) }
    try expectHidden("removed with all that it was in") { list, _ in list.removeFromSuperview() }
    try expectHidden("an animation ends") { _, field in
      field.layer.simulateAnimationEnd()
      field.frame.origin.y = 20
    }
    try expectHidden("an animation begins") { _, field in
      field.layer.simulateAnimation(showing: CGRect(x: 0, y: 0, width: 200, height: 60))
      field.frame.origin.y = 700
    }
  }

  @Test func `what a list had scrolled into sight, and has scrolled out of it again, is covered on its way`() throws {
    try expectHidden("from below to above") { recorded in
      let list = UIScrollView(frame: CGRect(x: 0, y: 100, width: 390, height: 300))
      list.addSubview(Secret.field(CGRect(x: 40, y: 500, width: 200, height: 60)))
      recorded.window.addSubview(list)
      return ({ list.contentOffset.y = 400 }, { list.contentOffset.y = 800 })
    }
    try expectHidden("out of sight") { recorded in
      let list = UIScrollView(frame: CGRect(x: 0, y: 100, width: 390, height: 300))
      list.addSubview(Secret.field(CGRect(x: 40, y: 200, width: 200, height: 60)))
      recorded.window.addSubview(list)
      return ({ list.contentOffset.y = 180 }, { list.contentOffset.y = 300 })
    }
  }

  @Test func `a cell that came while its list scrolled is covered where that has shown it`() throws {
    try expectHidden("it was not there when its list was looked at") { recorded in
      let list = UIScrollView(frame: screen)
      list.addSubview(UIView(frame: .zero))
      recorded.window.addSubview(list)
      return (
        {
          list.contentOffset.y = 100
          list.addSubview(Secret.field(CGRect(x: 40, y: 800, width: 200, height: 60)))
        }, { list.contentOffset.y = 400 }
      )
    }
  }

  @Test func `a window that jumps takes with it what was masked in it`() throws {
    try expectHidden("drawn at its new place as it was") { recorded in
      let window = UIWindow(windowScene: recorded.scene)
      window.frame = CGRect(x: 0, y: 100, width: 300, height: 200)
      let field = Secret.field(CGRect(x: 20, y: 20, width: 200, height: 40))
      window.addSubview(field)
      return (
        {},
        {
          window.frame.origin.y = 500
          field.frame.origin.y = 150
        }
      )
    }
  }

  @Test func `a window that has another size now costs that frame`() {
    let recorded = RecordedScreen()
    defer { recorded.end() }
    recorded.window.addSubview(Secret.field(place))
    recorded.record(isLate: true) { recorded.scene.simulateResize(to: CGSize(width: 844, height: 390)) }
    #expect(recorded.frames.isEmpty)
    recorded.record()
    #expect(recorded.frames.count == 1)
  }
}
