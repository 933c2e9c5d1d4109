import Foundation
import Testing

@testable import AutoMobileInterface

/// A18: gestures, made of touches that say themselves when they were.
@Suite struct GestureMachineTests {
  private final class Finger {}

  /// Fingers on a screen, and the machine that watches them.
  private final class Screen {
    var machine = GestureMachine()
    let fingers = (0..<20).map { _ in Finger() }
    var axes: ScrollAxes = []

    func event(_ phase: TouchSample.Phase, _ places: [(Double, Double)], at time: Double) -> Gesture? {
      let samples = zip(fingers, places).map { finger, place in
        TouchSample(
          finger: ObjectIdentifier(finger), phase: phase, place: ScreenPoint(x: place.0, y: place.1), time: time)
      }
      return machine.receive(samples) { _ in axes }
    }

    /// Fingers that come down at time 10, go straight from one place to another, and leave.
    func drag(_ from: [(Double, Double)], _ to: [(Double, Double)], seconds: Double) -> Gesture? {
      #expect(event(.began, from, at: 10) == nil)
      #expect(event(.moved, to, at: 10 + seconds / 2) == nil)
      return event(.ended, to, at: 10 + seconds)
    }

    func hold(_ place: (Double, Double), seconds: Double) -> Gesture? {
      #expect(event(.began, [place], at: 10) == nil)
      return event(.ended, [place], at: 10 + seconds)
    }
  }

  @Test(
    "A18: how long a finger stays decides between tap, press and long press",
    arguments: [
      (0.0, Gesture.Kind.tap), (0.29, .tap), (0.31, .press), (0.49, .press), (0.5, .longPress), (30, .longPress),
    ])
  func holding(seconds: Double, kind: Gesture.Kind) throws {
    let gesture = try #require(Screen().hold((100, 200), seconds: seconds))
    #expect(gesture.kind == kind)
    #expect(gesture.start == ScreenPoint(x: 100, y: 200))
    #expect(abs(gesture.duration - seconds) < 0.001)
  }

  @Test func `A18: a finger that wobbles less than 10 points still taps, one that comes back from farther does not`() {
    let screen = Screen()
    #expect(screen.drag([(100, 100)], [(109.9, 100)], seconds: 0.1)?.kind == .tap)
    _ = screen.event(.began, [(100, 100)], at: 1)
    _ = screen.event(.moved, [(140, 100)], at: 1.1)
    #expect(screen.event(.ended, [(100, 100)], at: 1.2)?.kind != .tap)
  }

  @Test(
    "A18: a fast drag is a swipe in its direction, a slow one a pan",
    arguments: [
      ((0.0, 100.0), Gesture.Direction.down), ((0, -100), .up), ((100, 0), .right), ((-100, 20), .left),
    ])
  func dragging(by delta: (Double, Double), direction: Gesture.Direction) {
    let end = (300 + delta.0, 300 + delta.1)
    let swipe = Screen().drag([(300, 300)], [end], seconds: 0.2)
    #expect(swipe?.kind == .swipe && swipe?.direction == direction)
    let pan = Screen().drag([(300, 300)], [end], seconds: 2)
    #expect(pan?.kind == .pan && pan?.direction == direction)
  }

  @Test func `A18: over what scrolls in its direction a drag is a scroll, however fast`() {
    let screen = Screen()
    screen.axes = .vertical
    #expect(screen.drag([(100, 500)], [(100, 100)], seconds: 0.1)?.kind == .scroll)
    #expect(screen.drag([(100, 500)], [(100, 400)], seconds: 2)?.kind == .scroll)
    #expect(screen.drag([(100, 500)], [(300, 500)], seconds: 0.2)?.kind == .swipe, "across, it does not scroll")
  }

  @Test func `A18: two fingers pinch, or turn, whichever is more`() throws {
    let apart = try #require(Screen().drag([(100, 300), (200, 300)], [(50, 300), (250, 300)], seconds: 0.3))
    #expect(apart.kind == .pinch && apart.fingers == 2)
    #expect(apart.scale == 2)
    #expect(apart.start == ScreenPoint(x: 150, y: 300))
    let turn = try #require(Screen().drag([(100, 300), (200, 300)], [(150, 250), (150, 350)], seconds: 0.3))
    #expect(turn.kind == .rotation)
    #expect(turn.degrees.map { abs($0 - 90) < 0.001 } == true, "clockwise is positive")
    let pan = try #require(Screen().drag([(100, 300), (200, 300)], [(100, 400), (200, 400)], seconds: 1))
    #expect(pan.kind == .pan && pan.fingers == 2)
  }

  @Test func `a turn goes the shorter way round`() throws {
    // From 170 degrees to -170.
    func place(_ degrees: Double) -> (Double, Double) {
      (200 + 100 * cos(degrees * .pi / 180), 200 + 100 * sin(degrees * .pi / 180))
    }
    let turn = try #require(Screen().drag([(200, 200), place(170)], [(200, 200), place(-170)], seconds: 0.3))
    #expect(turn.degrees.map { abs($0 - 20) < 0.001 } == true)
  }

  @Test func `a second finger that comes later belongs to the gesture, which ends with the last`() {
    let screen = Screen()
    _ = screen.event(.began, [(100, 100)], at: 1)
    let (first, second) = (screen.fingers[0], screen.fingers[1])
    func sample(_ finger: Finger, _ phase: TouchSample.Phase, _ time: Double) -> TouchSample {
      TouchSample(
        finger: ObjectIdentifier(finger), phase: phase, place: ScreenPoint(x: 100, y: 100), time: time)
    }
    #expect(screen.machine.receive([sample(first, .stationary, 1.1), sample(second, .began, 1.1)]) == nil)
    #expect(screen.machine.receive([sample(first, .ended, 1.2), sample(second, .stationary, 1.2)]) == nil)
    let gesture = screen.machine.receive([sample(second, .ended, 1.25)])
    #expect(gesture?.kind == .tap && gesture?.fingers == 2)
  }

  @Test func `a cancelled touch is no gesture, and the next one is`() {
    let screen = Screen()
    _ = screen.event(.began, [(100, 100)], at: 1)
    #expect(screen.event(.cancelled, [(100, 100)], at: 1.1) == nil)
    #expect(!screen.machine.isUnderWay)
    #expect(screen.hold((100, 100), seconds: 0.1)?.kind == .tap)
  }

  @Test func `a finger whose end nobody told is forgotten when the next one comes`() {
    let screen = Screen()
    _ = screen.event(.began, [(100, 100), (200, 200)], at: 1)
    let other = Finger()
    let down = TouchSample(
      finger: ObjectIdentifier(other), phase: .began, place: ScreenPoint(x: 5, y: 5), time: 2)
    var up = down
    up.phase = .ended
    #expect(screen.machine.receive([down]) == nil)
    #expect(screen.machine.receive([up])?.fingers == 1)
  }

  @Test func `numbers that are none, twenty fingers and a clock that goes back are survived`() throws {
    let screen = Screen()
    #expect(screen.hold((.nan, 1), seconds: 0.1) == nil)
    #expect(screen.drag([(1, 1)], [(.infinity, 1)], seconds: 0.1) == nil)
    #expect(screen.hold((1, 1), seconds: .nan) == nil)
    let back = try #require(screen.hold((1, 1), seconds: -5))
    #expect(back.duration == 0)
    let palm = try #require(
      screen.drag((0..<20).map { (Double($0), 0) }, (0..<20).map { (Double($0), 0) }, seconds: 0.1))
    #expect(palm.fingers == GestureMachine.maximumFingers)
    let far = try #require(screen.drag([(0, 0)], [(1e300, 1e300)], seconds: 0.1))
    #expect(far.details.values.allSatisfy { $0.count < 400 })
    #expect(screen.event(.ended, [(1, 1)], at: 1) == nil, "of a finger that never came down")
  }

  @Test func `what a gesture was is told in properties`() throws {
    let swipe = try #require(Screen().drag([(100, 100)], [(100.04, 300)], seconds: 0.25))
    #expect(
      swipe.details == ["durationMs": "250", "toX": "100.0", "toY": "300.0", "direction": "down"])
    #expect(try #require(Screen().hold((1, 2), seconds: 0.1)).details == [:])
    let pinch = try #require(Screen().drag([(0, 0), (30, 0)], [(0, 0), (40, 0)], seconds: 1))
    #expect(pinch.details["scale"] == "1.33" && pinch.details["fingers"] == "2")
  }
}
