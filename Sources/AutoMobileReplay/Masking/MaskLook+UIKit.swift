#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import UIKit

/// What is masked at one moment, in all windows of the picture.
@MainActor struct MaskLook {
  private(set) var places: [MaskedPlace] = []
  /// Something that is masked may be anywhere.
  private(set) var isUncertain = false
  /// Of windows: what was drawn into another size is somewhere else.
  private var sizes: [ObjectIdentifier: CGSize] = [:]
  /// How far lists have been scrolled.
  private(set) var scrolled: [ObjectIdentifier: CGPoint] = [:]

  nonisolated init() {}

  init(
    at canvases: [ScreenCanvases.Canvas], _ rules: MaskingRules, uptime: @escaping @MainActor () -> UInt64,
    notice: (UIView) -> Void
  ) {
    MaskMarks.shared.forgetRanges()
    let deadline = uptime() &+ MaskWalk.budget
    for window in canvases.windows {
      let walk = MaskWalk(
        window, rules, offset: canvases.offset(of: window) ?? .zero, until: deadline, uptime: uptime, notice: notice)
      places += walk.places
      scrolled.merge(walk.scrolled) { first, _ in first }
      sizes[ObjectIdentifier(window)] = window.bounds.size
      if walk.isUncertain || Self.isDrawnElsewhere(window) { isUncertain = true }
    }
  }

  /// A window is drawn into its frame. Turned, or on its way, what is in it is not where its own coordinates say.
  private static func isDrawnElsewhere(_ window: UIWindow) -> Bool {
    guard window.transform.isIdentity, let shown = LayerPath(to: window.layer).shown(window.layer) else { return true }
    return !shown.affineTransform().isIdentity || shown.frame != window.layer.frame
  }

  /// Whether each window that was there at both moments has the size that it had.
  func isOfSameSize(as other: MaskLook) -> Bool {
    sizes.allSatisfy { other.sizes[$0.key] == nil || other.sizes[$0.key] == $0.value }
  }
}
#endif
