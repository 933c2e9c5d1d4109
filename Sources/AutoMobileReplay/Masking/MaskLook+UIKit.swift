#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import UIKit

/// What is masked at one moment, in all windows of the picture.
@MainActor struct MaskLook {
  private(set) var places: [MaskedPlace] = []
  private var glass: [MaskedPlace] = []
  /// Windows in which something that is masked may be anywhere.
  private var uncertain: Set<ObjectIdentifier> = []
  /// Windows that are not drawn: they would be where their coordinates do not say.
  private(set) var leftOut: Set<ObjectIdentifier> = []
  /// Of windows: what was drawn into another size is somewhere else.
  private var sizes: [ObjectIdentifier: CGSize] = [:]
  /// How far lists have been scrolled.
  private(set) var scrolled: [ObjectIdentifier: CGPoint] = [:]
  /// Animations go on: a moment later, it may be somewhere else.
  private(set) var isMoving = false

  nonisolated init() {}

  init(
    at canvases: [ScreenCanvases.Canvas], _ rules: MaskingRules, uptime: @escaping @MainActor () -> UInt64,
    notice: (UIView) -> Void
  ) {
    MaskMarks.shared.forgetRanges()
    let deadline = uptime() &+ MaskWalk.budget
    for canvas in canvases {
      for (index, window) in canvas.windows.enumerated() {
        let offset = canvases.offset(of: window) ?? .zero
        add(
          window, isRearmost: index == 0,
          MaskWalk(window, rules, offset: offset, until: deadline, uptime: uptime, notice: notice))
      }
    }
  }

  private mutating func add(_ window: UIWindow, isRearmost: Bool, _ walk: MaskWalk) {
    let id = ObjectIdentifier(window)
    places += walk.places
    glass += walk.glass
    scrolled.merge(walk.scrolled) { first, _ in first }
    sizes[id] = window.bounds.size
    if walk.isUncertain { uncertain.insert(id) }
    if walk.isMoving { isMoving = true }
    guard Self.isDrawnElsewhere(window) else { return }
    // Without the one behind all others there is no picture of the screen.
    if isRearmost { uncertain.insert(id) } else { leftOut.insert(id) }
  }

  /// A window is drawn into its frame. Turned, or on its way, what is in it is not where its own coordinates say.
  private static func isDrawnElsewhere(_ window: UIWindow) -> Bool {
    guard window.transform.isIdentity, let shown = LayerPath(to: window.layer).shown(window.layer) else { return true }
    return !shown.affineTransform().isIdentity || shown.frame != window.layer.frame
  }

  /// Something that is masked may be anywhere.
  ///
  /// - Parameter leftOut: of this, it does not matter.
  func isUncertain(without leftOut: Set<ObjectIdentifier>) -> Bool { !uncertain.isSubset(of: leftOut) }

  /// Those in windows that are drawn.
  func places(without leftOut: Set<ObjectIdentifier>) -> [MaskedPlace] { Self.drawn(places, without: leftOut) }

  /// What shows things that are behind it elsewhere than they are.
  func glass(without leftOut: Set<ObjectIdentifier>) -> [MaskedPlace] { Self.drawn(glass, without: leftOut) }

  private static func drawn(_ places: [MaskedPlace], without leftOut: Set<ObjectIdentifier>) -> [MaskedPlace] {
    leftOut.isEmpty ? places : places.filter { $0.window.map { leftOut.contains(ObjectIdentifier($0)) } != true }
  }

  /// Whether each window that was there at both moments has the size that it had.
  func isOfSameSize(as other: MaskLook) -> Bool {
    sizes.allSatisfy { other.sizes[$0.key] == nil || other.sizes[$0.key] == $0.value }
  }
}
#endif
