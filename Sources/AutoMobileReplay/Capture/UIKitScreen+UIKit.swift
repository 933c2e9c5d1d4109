#if canImport(UIKit) && !os(watchOS)
import AutoMobileSDK
import Foundation
import UIKit

/// The app's windows, as they are on the display.
@MainActor final class UIKitScreen: ScreenSource {
  private var observations: NotificationObservations?
  /// On the screen, while it is there.
  private var keyboard: CGRect?
  private let screenName: @MainActor () -> String?
  private let maps = MovingMaps()

  nonisolated init(screenName: @escaping @MainActor () -> String? = { nil }) { self.screenName = screenName }

  /// From the back to the front, without the system's own.
  private var windows: [UIWindow] {
    let scenes = SharedApplication.current?.connectedScenes.compactMap { $0 as? UIWindowScene } ?? []
    return scenes.flatMap(\.windows).filter { !$0.isHidden && $0.alpha > 0 && !ViewTypes.facts($0).isKeyboard }
  }

  var size: CGSize? { windows.first?.bounds.size }

  var isInTransition: Bool {
    windows.contains { window in
      var controller = window.rootViewController
      var depth = 0
      while let current = controller, depth < 32 {
        if current.transitionCoordinator != nil { return true }
        controller = current.presentedViewController
        depth += 1
      }
      return false
    }
  }

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

  func use(_ rules: MaskingRules) { MaskingRules.current = rules }

  // MARK: Pixels

  private static let format = CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue

  func draw(on picture: Picture, pixelsPerPoint: Double, _ rules: MaskingRules) -> ScreenMask? {
    var mask: ScreenMask?
    ErrorBarrier.run(.displayFrame) { mask = drawn(on: picture, pixelsPerPoint, rules) }
    return mask
  }

  private func drawn(on picture: Picture, _ pixelsPerPoint: Double, _ rules: MaskingRules) -> ScreenMask? {
    let windows = windows
    guard !windows.isEmpty,
      let context = CGContext(
        data: picture.pixels, width: picture.width, height: picture.height, bitsPerComponent: 8,
        bytesPerRow: picture.bytesPerRow, space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: Self.format)
    else { return nil }
    picture.fill(PixelRectangle(x: 0, y: 0, width: picture.width, height: picture.height), with: 0xFF00_0000)
    // Core Graphics counts from the lower left, UIKit from the upper left.
    context.translateBy(x: 0, y: CGFloat(picture.height))
    context.scaleBy(x: CGFloat(pixelsPerPoint), y: -CGFloat(pixelsPerPoint))
    // What moves is covered where it is before the screen is drawn, and where it is after that.
    var mask = mask(windows, rules)
    UIGraphicsPushContext(context)
    var isComplete = true
    for window in windows where !window.drawHierarchy(in: window.frame, afterScreenUpdates: false) {
      isComplete = false
    }
    UIGraphicsPopContext()
    mask.add(self.mask(windows, rules))
    return isComplete ? mask : nil
  }

  private func mask(_ windows: [UIWindow], _ rules: MaskingRules) -> ScreenMask {
    var all = ScreenMask()
    for window in windows {
      let mask = ScreenMask(window, rules, notice: maps.note)
      for area in mask.areas { all.add(area.offsetBy(dx: window.frame.minX, dy: window.frame.minY)) }
      if mask.isUncertain { all.add(nil) }
    }
    if rules.masksKeyboard, let keyboard { all.add(keyboard) }
    return all
  }

  func hierarchy(_ rules: MaskingRules) -> HierarchySnapshot? {
    var snapshot: HierarchySnapshot?
    ErrorBarrier.run(.displayFrame) {
      let windows = windows
      guard let size = windows.first?.bounds.size else { return }
      var new = HierarchySnapshot(screen: screenName() ?? "", size: size)
      let deadline = DispatchTime.now().uptimeNanoseconds &+ HierarchyRecorder.budget
      for window in windows { new.add(window, rules, until: deadline) }
      if let keyboard {
        var node = HierarchySnapshot.Node(.keyboard, keyboard)
        node.isMasked = rules.masksKeyboard
        new.nodes.append(node)
      }
      new.coverWords()
      snapshot = new
    }
    return snapshot
  }

  // MARK: The keyboard

  func watchKeyboard(_ notice: (@MainActor (_ begins: Bool) -> Void)?) {
    observations?.end()
    observations = nil
    guard let notice else { return }
    let new = NotificationObservations(.default)
    let frameKey = UIResponder.keyboardFrameEndUserInfoKey
    func observe(_ name: Notification.Name, begins: Bool, isShown: Bool) {
      new.add(name, at: .interaction) { [weak self] (notification: Notification) in
        let frame = (notification.userInfo?[frameKey] as? NSValue)?.cgRectValue
        MainThread.run {
          // Until it is gone, it is there.
          if isShown { self?.keyboard = frame ?? self?.keyboard } else if !begins { self?.keyboard = nil }
          notice(begins)
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
