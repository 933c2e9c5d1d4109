import AutoMobileInterface
import Foundation

@testable import AutoMobileReplay

/// A screen that tests paint.
@MainActor final class PaintedScreen: ScreenSource {
  var colour: UInt32 = 0xFF00_0000
  var drawn = 0
  var prepared = 0
  var fails = false
  var mask: CGRect?
  var snapshot: HierarchySnapshot?
  var shownSize: CGSize? = CGSize(width: 100, height: 125)
  var size: CGSize? { shownSize }
  var screenName: String? { snapshot?.screen }
  var isInTransition = false
  var isMapMoving: Bool { false }
  var conditions: CapturePacing.Conditions { .init() }

  func prepare(_ rules: MaskingRules) { prepared += 1 }
  func draw(on picture: Picture, pixelsPerPoint: Double, _ rules: MaskingRules) -> ScreenMask? {
    drawn += 1
    if fails { return nil }
    picture.fill(PixelRectangle(x: 0, y: 0, width: 20, height: 20), with: colour)
    var covered = ScreenMask()
    if let mask { covered.add(mask) }
    return covered
  }

  func hierarchy(_ rules: MaskingRules) -> HierarchySnapshot? { snapshot }
  func watchKeyboard(_ notice: (@MainActor (_ begins: Bool) -> Void)?) {}
  func use(_ rules: MaskingRules) {}
  func whenDrawn(_ body: @escaping @MainActor @Sendable () -> Void) { body() }
}

/// None come due but by the test.
@MainActor final class NoTimers: CaptureTimers {
  var isHeld = false
  var waiting: (@MainActor @Sendable () -> Void)?
  nonisolated init() {}
  func run(
    picturesEvery seconds: Double, _ pictures: @escaping @MainActor @Sendable () -> Void,
    hierarchyEvery hierarchySeconds: Double, _ hierarchy: @escaping @MainActor @Sendable () -> Void
  ) {}
  func runOnce(after seconds: Double, _ body: @escaping @MainActor @Sendable () -> Void) {
    isHeld ? waiting = body : body()
  }
  func end() {}
}

/// Moved by the test.
final class TestTime: @unchecked Sendable {
  // Unchecked: behind its lock.
  private let lock = NSLock()
  private var value: Int64 = 1_000_000
  var now: Int64 {
    get { lock.withLock { value } }
    set { lock.withLock { value = newValue } }
  }
}
