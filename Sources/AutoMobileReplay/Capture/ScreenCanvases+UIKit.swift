#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import AutoMobileRecorder
import UIKit

/// The app's scenes that are on a display, each with its own part of the picture, side by side: the one that came first is on the
/// left, and those of other displays come after those of the phone's own. What is in the background is in no picture.
@MainActor final class ScreenCanvases {
  @MainActor struct Canvas {
    let windows: [UIWindow]
    /// In the picture, in points.
    let frame: CGRect
  }

  private final class Known {
    weak var scene: UIWindowScene?
    init(_ scene: UIWindowScene) { self.scene = scene }
  }

  private var order: [Known] = []

  nonisolated init() {}

  var all: [Canvas] {
    var left: CGFloat = 0
    return scenes.compactMap { scene in
      // From the back to the front, without the system's own.
      let windows = scene.windows.filter { !ViewTypes.facts($0).isKeyboard && Self.mayBeSeen($0) }
      let size = scene.coordinateSpace.bounds.size
      guard !windows.isEmpty, size.width > 0, size.height > 0 else { return nil }
      defer { left += size.width }
      return Canvas(windows: windows, frame: CGRect(origin: CGPoint(x: left, y: 0), size: size))
    }
  }

  private static func mayBeSeen(_ window: UIWindow) -> Bool {
    !window.bounds.isEmpty && (!window.isHidden && window.alpha > 0 || isStillShown(window))
  }

  private static func isStillShown(_ window: UIWindow) -> Bool {
    let path = LayerPath(to: window.layer)
    guard path.isKnown else { return true }
    guard path.isAnimated, let shown = path.shown(window.layer) else { return false }
    return !shown.isHidden && shown.opacity > 0
  }

  private var scenes: [UIWindowScene] {
    let connected = SharedApplication.current?.connectedScenes.compactMap { $0 as? UIWindowScene } ?? []
    let shown = connected.filter {
      $0.activationState == .foregroundActive || $0.activationState == .foregroundInactive
    }
    order.removeAll { known in !connected.contains { $0 === known.scene } }
    let new = shown.filter { scene in !order.contains { $0.scene === scene } }
    if !new.isEmpty { order += new.sorted(by: Self.isFirst).map(Known.init) }
    return order.compactMap(\.scene).filter { scene in shown.contains { $0 === scene } }
  }

  /// Of two that came at once.
  private static func isFirst(_ scene: UIWindowScene, _ other: UIWindowScene) -> Bool {
    let (isOwn, isOtherOwn) = (scene.session.role == .windowApplication, other.session.role == .windowApplication)
    return isOwn == isOtherOwn
      ? scene.session.persistentIdentifier < other.session.persistentIdentifier : isOwn
  }
}

extension [ScreenCanvases.Canvas] {
  @MainActor var windows: [UIWindow] { flatMap(\.windows) }

  @MainActor var size: CGSize? {
    guard let last else { return nil }
    return CGSize(width: last.frame.maxX, height: map(\.frame.height).max() ?? 0)
  }

  /// Of a window in the picture.
  @MainActor func offset(of window: UIWindow) -> CGPoint? {
    guard let canvas = first(where: { $0.windows.contains { $0 === window } }) else { return nil }
    // A window that scrolls by itself begins elsewhere.
    return CGPoint(
      x: canvas.frame.minX + window.frame.minX - window.bounds.minX,
      y: canvas.frame.minY + window.frame.minY - window.bounds.minY)
  }
}
#endif
