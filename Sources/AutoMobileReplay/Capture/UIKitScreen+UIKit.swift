#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import AutoMobileRecorder
import Foundation
import UIKit

/// The app's windows, as they are on the display.
@MainActor final class UIKitScreen: ScreenSource {
  private var observations: NotificationObservations?
  private var keyboardNotice: (@MainActor (_ begins: Bool) -> Void)?
  /// On the screen, while it is there.
  private var keyboard: CGRect?
  private let nameOfScreen: @MainActor () -> String?
  private let maps = MovingMaps()
  private let canvases = ScreenCanvases()
  private let memory: MaskMemory
  private let barrier: Barrier
  private let uptime: @MainActor () -> UInt64

  /// Calls something that may throw an exception, and says whether it did.
  typealias Barrier = @MainActor (() -> Void) -> Bool

  nonisolated init(
    screenName: @escaping @MainActor () -> String? = { nil },
    barrier: @escaping Barrier = { ErrorBarrier.run(.displayFrame, $0) != nil },
    uptime: @escaping @MainActor () -> UInt64 = { DispatchTime.now().uptimeNanoseconds },
    memory: MaskMemory = MaskMemory()
  ) {
    self.uptime = uptime
    self.memory = memory
    nameOfScreen = screenName
    self.barrier = barrier
  }

  var screenName: String? { nameOfScreen() }
  var size: CGSize? { canvases.all.size }

  var isInTransition: Bool { ScreenTransitions.isUnderWay(in: canvases.all.windows) }

  var isMapMoving: Bool { maps.haveMoved() }

  var conditions: CapturePacing.Conditions {
    var conditions = CapturePacing.Conditions()
    #if canImport(Darwin)
    conditions.isLowPower = ProcessInfo.processInfo.isLowPowerModeEnabled
    switch ProcessInfo.processInfo.thermalState {
    case .nominal: conditions.heat = .nominal
    case .fair: conditions.heat = .fair
    case .serious: conditions.heat = .serious
    default: conditions.heat = .critical
    }
    #endif
    return conditions
  }

  func use(_ rules: MaskingRules) { memory.forget() }

  /// Core Animation tells the display what has changed at the end of a turn of the run loop. Behind that, what is drawn is what
  /// the tree of views says; before it, a view that was just removed would still be drawn, and nobody would find it.
  func whenDrawn(_ body: @escaping @MainActor @Sendable () -> Void) {
    #if canImport(ObjectiveC)
    let observer = CFRunLoopObserverCreateWithHandler(
      nil, CFRunLoopActivity.beforeWaiting.rawValue, false, Self.afterCommit
    ) { _, _ in ErrorBarrier.run(.displayFrame) { MainActor.assumeIsolated(body) } }
    CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
    #else
    SimulatedTurn.simulateWaiting(body)
    #endif
  }

  #if canImport(ObjectiveC)
  /// Core Animation commits at 2 000 000, and UIKit is done with it at 2 001 000.
  private static let afterCommit: CFIndex = 2_002_000
  #endif

  // MARK: Pixels

  private static let format = CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue

  func prepare(_ rules: MaskingRules) {
    var earlier: MaskLook?
    let hasFailed = barrier { earlier = look(canvases.all, rules) }
    memory.expect(hasFailed ? nil : earlier)
  }

  func draw(on picture: Picture, pixelsPerPoint: Double, _ rules: MaskingRules) -> ScreenMask? {
    var mask: ScreenMask?
    let hasFailed = barrier { mask = drawn(on: picture, pixelsPerPoint, rules) }
    return hasFailed ? nil : mask
  }

  private func drawn(on picture: Picture, _ pixelsPerPoint: Double, _ rules: MaskingRules) -> ScreenMask? {
    let canvases = canvases.all
    guard !canvases.isEmpty,
      let context = CGContext(
        data: picture.pixels, width: picture.width, height: picture.height, bitsPerComponent: 8,
        bytesPerRow: picture.bytesPerRow, space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: Self.format)
    else { return nil }
    picture.fill(PixelRectangle(x: 0, y: 0, width: picture.width, height: picture.height), with: Self.black)
    // Core Graphics counts from the lower left, UIKit from the upper left.
    context.translateBy(x: 0, y: CGFloat(picture.height))
    context.scaleBy(x: CGFloat(pixelsPerPoint), y: -CGFloat(pixelsPerPoint))
    // What moves is covered where it is before the screen is drawn, where it is after that, and between the two. Without animations
    // nothing moves meanwhile: what the app's code changes now is not drawn before the next turn.
    let before = look(canvases, rules)
    let painted = paint(canvases, without: before.leftOut, on: context)
    // UIKit says that it drew nothing also where one view of many had no image.
    guard !painted.hasFailed, painted.isDrawn || Self.isDrawnOn(picture) else {
      memory.remember(before)
      return nil
    }
    let after = before.isMoving ? look(canvases, rules) : before
    var mask = memory.mask(from: before, to: after) { canvases.offset(of: $0) }
    if rules.masksKeyboard, let keyboard { cover(keyboard, canvases, &mask) }
    return mask
  }

  private static let black: UInt32 = 0xFF00_0000

  private static func isDrawnOn(_ picture: Picture) -> Bool {
    // What Core Graphics puts into the byte that it leaves out is its own affair.
    (0..<picture.count).contains { (picture.pixels[$0] ^ black) & 0xFF_FFFF != 0 }
  }

  /// - Returns: whether all of a window was drawn, and whether that was broken off.
  private func paint(
    _ canvases: [ScreenCanvases.Canvas], without leftOut: Set<ObjectIdentifier>, on context: CGContext
  ) -> (isDrawn: Bool, hasFailed: Bool) {
    let outer = UIGraphicsGetCurrentContext()
    UIGraphicsPushContext(context)
    var isAnyDrawn = false
    // Code of the app may be drawing here.
    let hasFailed = barrier {
      for canvas in canvases {
        for window in canvas.windows where !leftOut.contains(ObjectIdentifier(window)) {
          let frame = window.frame.offsetBy(dx: canvas.frame.minX, dy: canvas.frame.minY)
          // What sticks out of a window is in no picture: its neighbour may be another scene's.
          context.saveGState()
          context.clip(to: frame)
          // One window that has no image must not keep the others from being seen; it is covered all the same.
          if window.drawHierarchy(in: frame, afterScreenUpdates: false) { isAnyDrawn = true }
          context.restoreGState()
        }
      }
    }
    // Whoever threw may have left contexts of its own behind.
    var rest = 64
    while rest > 0, let current = UIGraphicsGetCurrentContext(), current !== outer {
      UIGraphicsPopContext()
      rest -= 1
    }
    return (isAnyDrawn, hasFailed)
  }

  private func look(_ canvases: [ScreenCanvases.Canvas], _ rules: MaskingRules) -> MaskLook {
    MaskLook(at: canvases, rules, uptime: uptime, notice: maps.note)
  }

  /// The keyboard tells its place on the screen. Of a window that has a part of the screen, that is somewhere else: there it is
  /// covered over the whole width.
  private func cover(_ keyboard: CGRect, _ canvases: [ScreenCanvases.Canvas], _ mask: inout ScreenMask) {
    guard canvases.count > 1 else { return mask.add(keyboard) }
    for canvas in canvases {
      mask.add(
        CGRect(x: canvas.frame.minX, y: keyboard.minY, width: canvas.frame.width, height: canvas.frame.height))
    }
  }

  func hierarchy(_ rules: MaskingRules) -> HierarchySnapshot? {
    var snapshot: HierarchySnapshot?
    ErrorBarrier.run(.displayFrame) {
      let canvases = canvases.all
      guard let size = canvases.size else { return }
      var new = HierarchySnapshot(screen: screenName ?? "", size: size)
      let deadline = uptime() &+ HierarchyRecorder.budget
      for window in canvases.windows {
        new.add(window, rules, offset: canvases.offset(of: window) ?? .zero, until: deadline, uptime: uptime)
      }
      var covers = ScreenMask()
      let masked = look(canvases, rules)
      masked.places(without: masked.leftOut).forEach { $0.cover(in: &covers) }
      if masked.isUncertain(without: masked.leftOut) { covers.isUncertain = true }
      if let keyboard {
        var node = HierarchySnapshot.Node(.keyboard, keyboard)
        node.isMasked = rules.masksKeyboard
        new.nodes.append(node)
      }
      new.coverWords(covers)
      snapshot = new
    }
    return snapshot
  }

  // MARK: The keyboard

  /// Its place is followed from the first time on, also while nobody is told: it comes and goes while a recording pauses.
  func watchKeyboard(_ notice: (@MainActor (_ begins: Bool) -> Void)?) {
    keyboardNotice = notice
    guard notice != nil, observations == nil else { return }
    let new = NotificationObservations(.default)
    let frameKey = UIResponder.keyboardFrameEndUserInfoKey
    func observe(_ name: Notification.Name, begins: Bool, isShown: Bool) {
      new.add(name, at: .interaction) { [weak self] (notification: Notification) in
        let frame = (notification.userInfo?[frameKey] as? NSValue)?.cgRectValue
        MainThread.run {
          // Until it is gone, it is there.
          if isShown { self?.keyboard = frame ?? self?.keyboard } else if !begins { self?.keyboard = nil }
          self?.keyboardNotice?(begins)
        }
      }
    }
    observe(UIResponder.keyboardWillShowNotification, begins: true, isShown: true)
    observe(UIResponder.keyboardDidShowNotification, begins: false, isShown: true)
    observe(UIResponder.keyboardWillHideNotification, begins: true, isShown: false)
    observe(UIResponder.keyboardDidHideNotification, begins: false, isShown: false)
    observations = new
  }
}
#endif
