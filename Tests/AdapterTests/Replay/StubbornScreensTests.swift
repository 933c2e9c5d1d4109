import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// Screens that would have no picture for ever, or a cover that is no longer right.
@MainActor @Suite(.serialized) struct `Screens that are hard to record` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  @Test func `one view without an image does not cost the others theirs`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let missing = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    missing.simulatesMissingImage = true
    screen.window.addSubview(missing)
    screen.window.addSubview(Secret.field(place))
    screen.record()
    #expect(screen.frames.count == 1 && screen.losses.isEmpty)
    #expect(try screen.secretPixels() == 0)
    #expect(try screen.maskedPixels() > 100)
  }

  @Test func `a page of many controllers is in no transition, and those that hold others are asked`() {
    let screen = RecordedScreen()
    defer { screen.end() }
    let root = UIViewController(nibName: nil, bundle: nil)
    screen.window.rootViewController = root
    // The last one is asked first.
    let last = UINavigationController(rootViewController: UIViewController(nibName: nil, bundle: nil))
    root.addChild(last)
    for _ in 0..<1000 { root.addChild(UIViewController(nibName: nil, bundle: nil)) }
    #expect(!screen.source.isInTransition)
    last.simulateTransition(true)
    #expect(screen.source.isInTransition)
    last.simulateTransition(false)
    for _ in 0..<4000 { root.addChild(UIViewController(nibName: nil, bundle: nil)) }
    #expect(!screen.source.isInTransition)
  }

  @Test func `masked views that are out of sight do not keep the others from being seen`() throws {
    let screen = RecordedScreen(uptime: { 0 })
    defer { screen.end() }
    let list = UIScrollView(frame: screen.window.bounds)
    screen.window.addSubview(list)
    for index in 0..<2500 { list.addSubview(Secret.field(place.offsetBy(dx: 0, dy: CGFloat(index) * 100))) }
    screen.record()
    #expect(screen.frames.count == 1 && screen.losses.isEmpty)
    screen.record(isLate: true) { list.contentOffset.y = 10_030 }
    screen.record()
    #expect(screen.frames.count == 3)
    #expect(try screen.secretPixels() == 0)
  }

  @Test func `ranges whose views are gone are looked for no more`() {
    let marks = MaskMarks()
    var view: UIView? = UIView(frame: place)
    if let view { marks.set(.unmasksFromHere, for: view) }
    marks.forgetRanges()
    #expect(marks.hasRanges)
    if let view { marks.set(nil, for: view) }
    marks.forgetRanges()
    #expect(!marks.hasRanges)
    if let view { marks.set(.unmasksFromHere, for: view) }
    view = nil
    marks.forgetRanges()
    #expect(!marks.hasRanges)
  }

  @Test func `a keyboard that goes while a recording pauses covers nothing after it, and one that came does`() throws {
    let keyboard = CGRect(x: 0, y: 500, width: 390, height: 344)
    let screen = RecordedScreen()
    defer { screen.end() }
    SimulatedKeyboard.simulateShow(covering: keyboard)
    screen.record()
    #expect(try screen.maskedPixels() > 1000)
    screen.pause()
    SimulatedKeyboard.simulateHide(from: keyboard)
    screen.resume()
    screen.record()
    #expect(try screen.maskedPixels() == 0)
    screen.pause()
    SimulatedKeyboard.simulateShow(covering: keyboard)
    screen.resume()
    screen.record()
    #expect(try screen.maskedPixels() > 1000)
    SimulatedKeyboard.simulateHide(from: keyboard)
  }

  @Test func `a window of the app's own that is called after the keyboard is recorded`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let window = KeyboardAwareWindow(windowScene: screen.scene)
    window.addSubview(Secret.label(place))
    screen.record()
    #expect(try screen.secretPixels() > 20)
    #expect(try screen.maskedPixels() == 0)
    let keys = UIRemoteKeyboardWindow(windowScene: screen.scene)
    keys.backgroundColor = .black
    keys.addSubview(Secret.label(CGRect(x: 40, y: 600, width: 200, height: 60)))
    let seen = try screen.secretPixels()
    screen.record()
    #expect(try screen.secretPixels() <= 2 * seen, "that of the system is not drawn")
  }

  @Test func `a screen that takes too long to look at is in no picture, and that is counted`() {
    let clock = SteppingClock(step: MaskWalk.budget + 1)
    let screen = RecordedScreen(uptime: { clock.next() })
    defer { screen.end() }
    screen.window.addSubview(Secret.field(place))
    for _ in 0..<30 { screen.record() }
    #expect(screen.frames.isEmpty && screen.losses.map(\.reason) == [.uncertain])
    clock.step = 0
    screen.record()
    #expect(screen.frames.count == 1)
  }
}

@MainActor private final class SteppingClock {
  var step: UInt64
  private var now: UInt64 = 0

  init(step: UInt64) { self.step = step }

  func next() -> UInt64 {
    now += step
    return now
  }
}

private final class KeyboardAwareWindow: UIWindow {}
/// By the name that it has on a device.
private final class UIRemoteKeyboardWindow: UIWindow {}
